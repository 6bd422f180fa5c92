"""The first screen of a replay: board, sentence, controls and timeline, in every game, on screens of every shape."""

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import UploadRecords
from tests.strategies import FIXTURES

SCREENS = ((390, 844), (1280, 720), (1280, 800), (1920, 1080), (2560, 1440), (3440, 1440))
WIDE = 1_900
PARTS = ("svg.board", ".caption", ".controls-way", ".controls-steps", "[data-what-if]", "[data-menu]")
SHARE_OF_HEIGHT = """(board) => {
  const box = board.getBoundingClientRect(), drawn = board.viewBox.baseVal;
  return Math.min(1, (box.width / box.height) / (drawn.width / drawn.height));
}"""
"""How much of the height of its place a board takes; the rest is empty because the place is too narrow."""


LINES = """(all) => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""
"""In how many lines each text stands."""
OVERLAP = """(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent.trim())"""


def ends_at(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["y"] + box["height"]


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    [
        "atta_ants/games/two-foragers.agn",
        "atta_ants/games/thieves-of-three.agn",
        "atta_ants/games/shared-second-of-four.agn",
        "ant_trails/games/two-collectors.agn",
        "army_ants/games/at-random.agn",
    ],
)
def test_board_sentence_and_controls_are_on_the_first_screen_whatever_the_boards_shape(
    upload_records: UploadRecords, page: Page, name: str
) -> None:
    game, *_ = upload_records((FIXTURES / name).read_bytes())
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/games/{game.key}/?ply=20")
        assert {part: end for part in PARTS if (end := ends_at(page.locator(part).first)) > height} == {}, width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width > WIDE:
            assert page.locator("svg.board").evaluate(SHARE_OF_HEIGHT) > 0.85, width


@pytest.mark.full
def test_names_of_four_players_stand_in_one_line_and_all_their_cards_are_seen(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    (game,) = upload_records((FIXTURES / "atta_ants/games/shared-second-of-four.agn").read_bytes())
    for locale, height in product(("en-US", "de"), (800, 900)):
        page = open_page(locale=locale)
        page.set_viewport_size({"width": 1280, "height": height})
        for ply in ("?ply=20", ""):
            page.goto(f"{game.get_absolute_url()}{ply}")
            assert page.locator(".tray-name").evaluate_all(LINES) == [1] * 4, (locale, ply)
            assert page.locator(".tray-counts > div").evaluate_all(OVERLAP) == [], (locale, ply)
            assert page.locator(".trays").evaluate("one => one.scrollHeight - one.clientHeight") == 0, (locale, ply)
            expect(page.locator(".tray").last).to_be_in_viewport(ratio=1)
