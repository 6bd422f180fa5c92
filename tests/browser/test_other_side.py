"""A board seen from the other side: turned by half, with upright writing, and touched where it is seen."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.army_ants.ruleset import ARMY_ANTS
from engine.registry import RULESETS
from games.playing.reads.people import Person
from tests.browser.acting import Game, Hand, Mouse, Thumb, named, play, put_on, shortest
from tests.browser.conftest import UploadRecords
from tests.games.playing.seating import guests, seated
from tests.games.playing.seating import play as play_on
from tests.strategies import FIXTURES, AnyRuleset

LAST = 8
ARMIES = next(iter(sorted((FIXTURES / "army_ants/games").glob("*.agn"))))
MIDDLE = """one => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def middle(page: Page, part: str) -> list[float]:
    """Return where the middle of a part is seen."""
    return list(page.locator(part).first.evaluate(MIDDLE))


def test_a_replay_is_turned_by_a_key_and_stays_so(upload_records: UploadRecords, page: Page) -> None:
    (game,) = upload_records(ARMIES.read_bytes())
    page.goto(f"/games/{game.key}/?ply=0")
    before, centre = middle(page, "svg.board .labels text"), middle(page, "svg.board")
    page.keyboard.press("o")
    expect(page.locator("[data-replay].other-side")).to_have_count(1)
    mirrored = [2 * of_board - of_text for of_board, of_text in zip(centre, before, strict=True)]
    assert middle(page, "svg.board .labels text") == pytest.approx(mirrored, abs=1)
    assert page.locator("svg.board .number").first.evaluate("one => getComputedStyle(one).rotate") == "180deg"
    page.reload()
    expect(page.locator("[data-replay].other-side")).to_have_count(1)
    page.locator("[data-menu] summary").click()
    turn = page.get_by_role("button", name="View the board from the other side")
    expect(turn).to_have_attribute("aria-pressed", "true")
    turn.click()
    expect(page.locator("[data-replay].other-side")).to_have_count(0)


@pytest.mark.full
def test_the_board_of_a_table_is_turned_while_the_game_goes_on(live: str, page: Page) -> None:
    now, people = timezone.now(), guests(2)
    table = play_on(seated(people, now, "army-ants"), people, now, most=4)
    page.goto(table.get_absolute_url())
    page.get_by_role("button", name="Turn the board").click()
    expect(page.locator("[data-play].other-side")).to_have_count(1)
    play_on(table, people, now, most=1)
    expect(page.locator(".play-tokens code")).to_have_count(5)
    expect(page.locator("[data-play].other-side")).to_have_count(1)


@pytest.mark.parametrize(("letter", "turned"), [pytest.param("R", 0, marks=pytest.mark.full), ("B", 1)])
def test_ones_own_side_is_at_the_foot_unless_the_board_is_turned_back(
    alice: User, bob: User, open_page: Callable[..., Page], now: datetime, letter: str, turned: int
) -> None:
    table = seated([Person(account=alice), Person(account=bob)], now, "army-ants")
    page = open_page(table.seats.get(letter=letter).account)
    page.goto(table.get_absolute_url())
    expect(page.locator("[data-play].other-side")).to_have_count(turned)
    page.get_by_role("button", name="Turn the board").click()
    expect(page.locator("[data-play].other-side")).to_have_count(1 - turned)
    page.reload()
    expect(page.locator("[data-play].other-side")).to_have_count(1 - turned)


@pytest.mark.parametrize(
    "ruleset", [pytest.param(one, marks=() if one is ARMY_ANTS else pytest.mark.full) for one in RULESETS], ids=named
)
def test_a_board_is_touched_where_it_is_seen(page: Page, ruleset: AnyRuleset) -> None:
    touch_from_the_other_side(page, ruleset, Mouse())


@pytest.mark.full
@pytest.mark.parametrize("ruleset", RULESETS, ids=named)
def test_a_thumb_touches_a_turned_board_where_it_is_seen(phone: Page, ruleset: AnyRuleset) -> None:
    touch_from_the_other_side(phone, ruleset, Thumb())


def touch_from_the_other_side(page: Page, ruleset: AnyRuleset, hand: Hand) -> None:
    """Play a game's last actions on a turned board, all of which is on the screen."""
    page.set_viewport_size({"width": page.viewport_size["width"], "height": 1400})  # type: ignore[index]
    replay = shortest(ruleset)
    game = Game(replay, max(0, len(replay.actions) - LAST))
    put_on(page, game)
    page.locator("[data-board]").evaluate("one => one.classList.add('other-side')")
    play(page, game, hand)
    assert game.acted == list(replay.actions[-LAST:])
