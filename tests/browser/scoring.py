"""Scoring a game on the sheet: every action of a record, click by click, as if read from paper."""

from io import BytesIO
from typing import Any

from django.templatetags.static import static
from playwright.sync_api import Locator, Page, expect

from engine.replay import Replay
from engine.verify import verify_file

HOLD = """
  import("BOARD").then(({ Board }) => {
    const { prepare } = Board.prototype;
    Board.prototype.prepare = function () {
      window.board = this;
      prepare.apply(this);
    };
  }).catch(() => {}); // a page of another site, or none
"""
"""Give tests access to the page's board, which the page itself does not need."""

SPOT = """(target) => {
  const box = (board.targets.of(target) ?? board.table.elements.get(target)).getBoundingClientRect();
  const steps = [0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92];
  for (const across of steps) for (const along of steps) {
    const spot = { clientX: box.left + across * box.width, clientY: box.top + along * box.height };
    const seen = board.svg.contains(document.elementFromPoint(spot.clientX, spot.clientY));
    if (seen && board.pointing.at(spot) === target) return [spot.clientX, spot.clientY];
  }
}"""
"""Return a point as near as possible to the centre of a target and not covered by a list."""

NEXT = """([token, ply, following]) => {
  const spot = SPOT;
  if (board.position?.ply !== ply || board.busy) return "wait";
  const { spelling } = board;
  const end = spelling.ends.find((one) => one.token === token);
  if (!end) return `no action ${token}`;
  if (spelling.token === token && spelling.path.length >= end.route.length) {
    const isThere = (node) => node.t.startsWith("choice:") || (board.table.elements.has(node.t) && spot(node.t));
    const begins = (node) => node.p && following.startsWith(node.p) && isThere(node);
    const next = spelling.root.k.find((node) => node.t !== spelling.path[0].t && begins(node));
    return board.ahead.goesOn(next?.t) ? next.t : "confirm";
  }
  if (spelling.turns.some((node) => end.route.includes(node))) return "turn";
  return end.route.find((node, at) => spelling.path[at] !== node).t;
}""".replace("SPOT", SPOT)


def hold_board(page: Page) -> Page:
    """Open no page yet; on later pages the board can be queried and nothing moves under the pointer."""
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(HOLD.replace("BOARD", static("games/js/board.js")))
    return page


def text_of(page: Page) -> Locator:
    """Return the field with the record's text, visible or not."""
    return page.locator("[data-editor] textarea")


def type_at_end(page: Page, words: str) -> None:
    """Continue typing at the end of the record."""
    field = text_of(page)
    field.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(words)


def paste(page: Page, text: str) -> None:
    """Open a pasted record."""
    page.get_by_role("tab", name="Sheets").click()
    page.get_by_role("button", name="Paste a record").click()
    page.locator("[data-paste-text]").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


def score(page: Page, tokens: tuple[str, ...], *, first: int = 0) -> int:
    """Play actions one after the other, without confirming what the next touch does; return the number of clicks."""
    touches, following = 0, (*tokens[1:], "")
    for ply, (token, then) in enumerate(zip(tokens, following, strict=True), first):
        while (target := page.evaluate(NEXT, [token, ply, then])) and page.evaluate("board.position?.ply ?? -1") <= ply:
            assert not target.startswith("no action"), f"{target} in {text_of(page).input_value()}"
            if target == "wait":
                page.wait_for_function("(ply) => board.position?.ply >= ply && !board.busy", arg=ply)
            else:
                touch(page, target)
                touches += 1
    return touches


def touch(page: Page, target: str) -> None:
    """Click on a place on the board or on a button."""
    if target == "confirm":
        page.get_by_role("button", name="Confirm", exact=True).click()
    elif target == "turn":
        page.locator("[data-turn]:visible").first.click()
    elif target.startswith("choice:"):
        page.evaluate(WANTED, target)
        page.locator("[data-wanted]").click()
    else:
        x, y = page.evaluate(SPOT, target)
        page.mouse.click(x, y)


WANTED = """(target) => {
  const cards = board.position.picker?.groups.flatMap((group) => group.cards) ?? [];
  const card = cards.findIndex(({ part }) => target === `choice:card:${part}`);
  const choices = [...board.beside[0].nodes].map(([button, node]) => [button, node.t === target]);
  const all = [...document.querySelectorAll("[data-picker] button")].map((button, at) => [button, at === card]);
  [...choices, ...all].forEach(([one, is]) => one.toggleAttribute("data-wanted", is && one.checkVisibility()));
}"""
"""Mark the button of a choice: one beside the board, or one of the cards that may have been drawn."""


def beginning(replay: Replay[Any, Any]) -> str:
    """The record before its first action."""
    tags = {**replay.tags, "Result": "*"}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n*\n"


def set_up(page: Page, replay: Replay[Any, Any]) -> None:
    """Choose a record's game and players and lay out its start position by clicks."""
    tags, ruleset = replay.tags, replay.ruleset
    page.locator("[data-choose-game]").select_option(ruleset.game)
    if page.locator("[data-edition-field]").is_visible():
        page.locator("[data-choose-edition]").select_option(ruleset.slug)
    letters = tags["Seats"].split(" ")
    if page.locator("[data-count-field]").is_visible():
        page.locator("[data-choose-count]").select_option(str(len(letters)))
    for number, letter in enumerate(letters):
        if page.locator("[data-colour]").nth(number).is_enabled():
            page.locator("[data-colour]").nth(number).select_option(letter)
        page.get_by_label(f"Name of player {number + 1}").fill(tags[ruleset.seat(letter).tag])
    if "Deck" in tags:
        page.locator("[data-choose-deck]").select_option(tags["Deck"])
    lay(page, laid_in(page, tags["Setup"]))
    page.get_by_role("button", name="Begin the game").click()


def laid_in(page: Page, setup: str) -> dict[str, str]:
    """Return what is placed where, in the page's own names."""
    page.locator("[data-place]").first.wait_for()
    if "=" in setup:
        return dict(tile.split("=") for tile in setup.split(" "))
    if "/" in setup:
        rows = zip("87654321", setup.split("/"), strict=True)
        cells = ((f"{column}{row}", rank) for row, ranks in rows for column, rank in zip("abcde", ranks, strict=True))
        return {cell: f"{'B' if cell[1] > '4' else 'R'}{rank}" for cell, rank in cells if rank != "."}
    keys = page.locator("[data-place]").evaluate_all("(all) => all.map((one) => one.dataset.place)")
    return dict(zip(keys, setup.split(" "), strict=True))


def lay(page: Page, laid: dict[str, str], *, of: int | None = None) -> None:
    """Place everything one by one: select the card and, if needed, its rotation."""
    for number, (key, part) in enumerate(laid.items(), 1):
        touch_card(page, key, part)
        expect(page.locator("[data-setup-says]")).to_have_text(f"{number} of {of or len(laid)} laid")


def touch_card(page: Page, key: str, part: str) -> None:
    """Click on a place, on the card that lies there and, if needed, on its rotation."""
    place = page.locator(f'[data-place="{key}"]')
    if place.get_attribute("aria-pressed") != "true":
        place.locator("rect").click()
    page.locator(f'[data-laying-picker] [data-parts~="{part}"]').click()
    way = page.locator(f'[data-laying-picker] [data-part="{part}"]')
    if way.count():
        way.click()


def digest_of(page: Page) -> str | None:
    """Return the digest of the game the sheet would upload, according to the verifier."""
    page.get_by_role("button", name="Upload", exact=True).click()
    text = page.locator("[data-upload-text]").input_value()
    (verdict,) = verify_file(BytesIO(text.encode()))
    return verdict.replay.digest() if verdict.replay and not verdict.fault else None
