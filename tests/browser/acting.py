"""A board on its own page, on which a recorded game is replayed action by action with real input."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from django.template.loader import render_to_string
from django.templatetags.static import static
from playwright.sync_api import Locator, Page, expect

from engine.agn.administrative import parse_administrative
from engine.replay import Replay
from engine.touching import position
from tests.strategies import AnyRuleset, recorded

Json = dict[str, Any]
ADDRESS = "/board-alone/"
MOST_TOUCHES = 8
"""All nodes on the way to an action, including its rotations."""
PARTS = "games/parts/"
SHEETS = ("tokens", "page", "controls")
FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>A board</title>
{sheets}{styles}
<style>
  body {{ margin: 0; }}
  .frame {{ display: grid; grid-template-rows: minmax(0, 1fr) auto; height: 100dvh; }}
  .room {{ display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr) 20rem; min-height: 0; }}
  .side {{ overflow: auto; }}
  @media (max-width: 60rem) {{ .room {{ grid-template-columns: minmax(0, 1fr); }} .side {{ display: none; }} }}
</style></head>
<body><main class="frame" data-board data-prefix="" {says}>
<h1 class="unseen">A board</h1>
<div class="room">{board}<div class="side">{picker}{actions}</div></div>{dock}</main>
<script type="module">
  import {{ Board }} from "{module}";
  const board = new Board(document.querySelector("[data-board]"), {{
    onAct: async (token) => {{
      const answer = await window.act(token);
      if (answer.message) throw answer;
      board.show(answer);
    }},
  }});
  window.board = board;
  board.show(await window.act(null));
</script></body></html>"""


class Game:
    """A recorded game, replayed up to some action."""

    def __init__(self, replay: Replay[Any, Any], ply: int = 0, *, drawn: bool = True) -> None:
        self.replay = replay
        self.ply = ply
        self.drawn = drawn
        """Whether the drawn card is known; otherwise the board asks for it."""
        self.acted: list[str] = []

    @property
    def next(self) -> str:
        """The token of the next recorded action."""
        return self.replay.actions[self.ply]

    def act(self, token: str | None) -> Json:
        """Answer like a page's server that accepts only the recorded action."""
        if token is not None:
            self.acted.append(token)
            if token != self.next:
                return {"message": f"{token} was not played.", "rule": "AGN-MOVE-1"}
            self.ply += 1
        return position(self.replay.ruleset, self.replay.states[: self.ply + 1], self.replay.actions[: self.ply],
                        drawn=self._card())  # fmt: skip

    def _card(self) -> str | None:
        """The card of the next action if a card is drawn."""
        over = self.ply == len(self.replay.actions)
        return self.next.split("@")[0] if self.drawn and not over and "@" in self.next else None


def shortest(ruleset: AnyRuleset) -> Replay[Any, Any]:
    """Return the shortest recorded game that ended without anyone leaving or agreeing to a draw."""
    games = [replay for replay in recorded(ruleset) if not any(map(parse_administrative, replay.actions))]
    return min(games, key=lambda replay: len(replay.actions))


def put_on(page: Page, game: Game) -> Page:
    """Open the page with the board."""
    part = {name: render_to_string(f"{PARTS}{name}.html", {"may_skip_confirm": True, "undo": True})
            for name in ("board", "picker", "actions", "dock")}  # fmt: skip
    sheets = (f'<link rel="stylesheet" href="{static(f"games/css/{name}.css")}">' for name in SHEETS)
    html = FRAME.format(
        sheets="".join(sheets),
        styles=render_to_string(f"{PARTS}board_styles.html"),
        module=static("games/js/board.js"),
        says=render_to_string(f"{PARTS}board_says.html"),
        **part,
    )
    page.route(f"**{ADDRESS}", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    page.expose_function("act", game.act)
    page.emulate_media(reduced_motion="reduce")
    page.goto(ADDRESS)
    expect(page.locator("svg.board .piece").first).to_be_attached()
    page.evaluate(SETTLED)
    return page


SETTLED = "document.fonts.ready.then(() => true)"
"""Letters that come late change the layout, and with it where something is clicked."""


# what still has to be selected on the way to an action

TO_TOUCH = """(token) => {
  const { spelling } = board;
  const found = spelling.ends.find((end) => end.token === token);
  if (!found) throw new Error(`${token} cannot be done at ply ${board.position.ply}`);
  const { route } = found;
  if (spelling.token === token && spelling.path.length >= route.length) return null;
  if (spelling.turns.some((node) => route.includes(node))) return "turn";
  return route.find((node, at) => spelling.path[at] !== node).t;
}"""

SPOT = """(target) => {
  const piece = board.targets.of(target);
  const before = piece.getBoundingClientRect();
  if (before.top < 0 || before.bottom > innerHeight) piece.scrollIntoView({ block: "center", behavior: "instant" });
  const box = piece.getBoundingClientRect();
  const steps = [0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92];
  for (const across of steps) for (const along of steps) {
    const spot = { clientX: box.left + across * box.width, clientY: box.top + along * box.height };
    const close = matchMedia("(pointer: coarse)").matches ? board.pointing.closeTo(spot) : [];
    if (board.pointing.at(spot) === target && close.length < 2) return [spot.clientX, spot.clientY];
  }
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


def to_touch(page: Page, token: str) -> Iterator[str]:
    """Yield what to select next until the action is selected."""
    touched: list[str] = []
    while target := page.evaluate(TO_TOUCH, token):
        assert len(touched) < MOST_TOUCHES, f"{token} is not chosen after {touched}."
        touched.append(target)
        yield target


def spot(page: Page, target: str) -> tuple[float, float]:
    """Return a point on the screen, as near to its centre as possible, where a target can be hit, alone if possible."""
    x, y = page.evaluate(SPOT, target)
    return x, y


def named(one: object) -> str:
    """Return how a ruleset or a hand is called in a test's name."""
    return str(getattr(one, "slug", type(one).__name__.lower()))


class Hand(Protocol):
    """How somebody operates the board."""

    def touch(self, page: Page, target: str) -> None: ...
    def confirm(self, page: Page) -> None: ...


class Mouse:
    """Clicks on the board, and on buttons where there is a choice."""

    def touch(self, page: Page, target: str) -> None:
        if target == "turn":
            page.locator("[data-turn]:visible").first.click()
        elif target.startswith("choice:"):
            button_of(page, target).click()
        else:
            self.hit(page, *spot(page, target))

    def hit(self, page: Page, x: float, y: float) -> None:
        page.mouse.click(x, y)

    def confirm(self, page: Page) -> None:
        page.get_by_role("button", name="Confirm", exact=True).click()


class Thumb(Mouse):
    """Taps on a phone, and on what a fan spreads where targets are too close together."""

    def touch(self, page: Page, target: str) -> None:
        super().touch(page, target)
        disc = page.locator(f"[data-fanned='{target}']")
        if disc.count():
            disc.tap()

    def hit(self, page: Page, x: float, y: float) -> None:
        page.touchscreen.tap(x, y)

    def confirm(self, page: Page) -> None:
        page.get_by_role("button", name="Confirm", exact=True).tap()


class Keys:
    """Moves with the arrow keys and selects with Enter."""

    def touch(self, page: Page, target: str) -> None:
        if target == "turn":
            page.keyboard.press("r")
            return
        for _ in range(page.locator(".target").count() + 12):
            if page.evaluate(FOCUSED, target):
                page.keyboard.press("Enter")
                return
            page.keyboard.press("ArrowRight")
        self.type(page, target)

    def type(self, page: Page, target: str) -> None:
        """Things that are not on the board are typed."""
        token = page.evaluate("(target) => board.spelling.root.k.find((node) => node.t === target).a", target)
        page.keyboard.press("Escape")
        page.keyboard.type(token)

    def confirm(self, page: Page) -> None:
        page.keyboard.press("Enter")


FOCUSED = """(target) => {
  const { activeElement: focused } = document;
  const node = board.beside[0].nodes.get(focused);
  return focused.dataset.target === target || node?.t === target;
}"""


def button_of(page: Page, target: str) -> Locator:
    """Return the visible button of a choice."""
    mark = """(target) => [...board.beside[0].nodes].forEach(([button, node]) =>
      button.toggleAttribute("data-wanted", node.t === target && button.checkVisibility()))"""
    page.evaluate(mark, target)
    return page.locator("[data-wanted]")


ACTED = "(ply) => board.busy || board.position.ply > ply"


def do(page: Page, hand: Hand, token: str) -> None:
    """Touch an action and confirm it, unless a touch is enough, as it is for the end of a turn at a table."""
    ply = page.evaluate("board.position.ply")
    for target in to_touch(page, token):
        hand.touch(page, target)
        if page.evaluate(ACTED, ply):
            return
    hand.confirm(page)


def play(page: Page, game: Game, hand: Hand, *, until: Callable[[Game], bool] | None = None) -> None:
    """Replay the game to its end."""
    while game.ply < len(game.replay.actions) and not (until and until(game)):
        ply = game.ply
        do(page, hand, game.next)
        page.wait_for_function("(ply) => board.position.ply > ply && !board.busy", arg=ply)
