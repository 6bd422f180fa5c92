"""A game that is scored on the sheet: every action of a record, touch by touch, as somebody reads it from paper."""

from io import BytesIO
from typing import Any

from playwright.sync_api import Locator, Page

from engine.replay import Replay
from engine.verify import verify_file

HOLD = """
  globalThis.Atta = {};
  let found;
  Object.defineProperty(globalThis.Atta, "Board", {
    enumerable: true,
    get: () => found,
    set: (Board) => {
      found = class extends Board { constructor(...given) { super(...given); window.board = this; } };
    },
  });
"""
"""Lets a test see the board of the page, for which the page itself has no use."""

NEXT = """([token, ply]) => {
  if (board.position?.ply !== ply || board.busy) return "wait";
  const { spelling } = board;
  const end = spelling.ends.find((one) => one.token === token);
  if (!end) return `no action ${token}`;
  if (spelling.token === token && spelling.path.length >= end.route.length) return "confirm";
  if (spelling.turns.some((node) => end.route.includes(node))) return "turn";
  return end.route.find((node, at) => spelling.path[at] !== node).t;
}"""


def hold_board(page: Page) -> Page:
    """Open no page yet; on those that are opened the board can be asked."""
    page.add_init_script(HOLD)
    return page


def text_of(page: Page) -> Locator:
    """The field with the record's text, whether or not it is shown."""
    return page.locator("[data-editor] textarea")


def type_at_end(page: Page, words: str) -> None:
    """Go on typing where the record ends."""
    field = text_of(page)
    field.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(words)


def paste(page: Page, text: str) -> None:
    """Open a record that is pasted."""
    page.get_by_role("tab", name="Sheets").click()
    page.get_by_role("button", name="Paste a record").click()
    page.locator("[data-paste-text]").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


def score(page: Page, tokens: tuple[str, ...], *, first: int = 0) -> int:
    """Touch actions one after the other; how many touches that took."""
    touches = 0
    for ply, token in enumerate(tokens, first):
        while (target := page.evaluate(NEXT, [token, ply])) and page.evaluate("board.position?.ply ?? -1") <= ply:
            if target == "wait":
                page.wait_for_function("(ply) => board.position?.ply >= ply && !board.busy", arg=ply)
            else:
                touch(page, target)
                touches += 1
    return touches


def touch(page: Page, target: str) -> None:
    """Touch a place on the board or a button."""
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
"""Marks the button of a choice: one beside the board, or a card of those that may have been drawn."""

SPOT = """(target) => {
  const box = board.coverOf(target).getBoundingClientRect();
  const steps = [0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92];
  for (const across of steps) for (const along of steps) {
    const spot = { clientX: box.left + across * box.width, clientY: box.top + along * box.height };
    if (board.pointing.at(spot) === target) return [spot.clientX, spot.clientY];
  }
}"""
"""Where a target is hit, as near as can be to its middle."""


def beginning(replay: Replay[Any, Any]) -> str:
    """The record before its first action."""
    tags = {**replay.tags, "Result": "*"}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n*\n"


def digest_of(page: Page) -> str | None:
    """The digest of the game that the sheet would upload, as the verifier says."""
    page.get_by_role("button", name="Upload", exact=True).click()
    text = page.locator("[data-upload-text]").input_value()
    (verdict,) = verify_file(BytesIO(text.encode()))
    return verdict.replay.digest() if verdict.replay and not verdict.fault else None
