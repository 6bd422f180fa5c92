"""Recorded games are scored on the sheet by clicks alone: its record equals the original."""

import dataclasses
from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from engine.agn.administrative import parse_administrative
from engine.registry import RULESETS
from engine.replay import Replay
from games.clubs import running
from games.models import ClubLink
from tests.browser.late import can_hold, hold, release, wait_for_held
from tests.browser.scoring import (
    beginning,
    digest_of,
    hold_board,
    laid_in,
    lay,
    paste,
    score,
    set_up,
    text_of,
    touch_card,
)
from tests.strategies import AnyRuleset, recorded
from tests.tiers import by_tier, first_quick

DECKS = ("printed", "reconstruction-1")
SHORT = by_tier(quick=RULESETS[:1], long=RULESETS)
"""Rulesets for which short games are recorded."""
OTHERS = {one.game: one for one in RULESETS if one.game != RULESETS[0].game}
LAID = by_tier(quick=first_quick(tuple(OTHERS.values())), long=RULESETS)
"""Rulesets of which a game is laid out; in the quick tier one of each game that is not laid out to be recorded."""
every_ruleset = pytest.mark.parametrize("ruleset", LAID, ids=lambda ruleset: ruleset.slug)
some_rulesets = pytest.mark.parametrize("ruleset", SHORT, ids=lambda ruleset: ruleset.slug)
TOUCHED = by_tier(quick=12, long=117)
"""Actions of the longest recorded game of Atta Ants."""


@pytest.fixture
def sheet(page: Page) -> Page:
    hold_board(can_hold(page)).goto("/score/")
    return page


def actions_of(replay: Replay[Any, Any]) -> int:
    return len(replay.actions)


def shortest(ruleset: AnyRuleset, at_least: int = 8) -> Replay[Any, Any]:
    """Return the shortest recorded game that was played to its end."""
    played = (one for one in recorded(ruleset) if not any(map(parse_administrative, one.actions)))
    named = (one for one in played if not ruleset.dealer.has_deck or one.tags.get("Deck") in DECKS)
    ended = (one for one in named if ruleset.outcome(one.last) and len(one.actions) >= at_least)
    return min(ended, key=actions_of)


@pytest.mark.full
@every_ruleset
def test_a_game_is_laid_out_by_clicks(sheet: Page, ruleset: AnyRuleset) -> None:
    replay = shortest(ruleset)
    set_up(sheet, replay)
    expect(sheet.locator("[data-stage-at]")).to_have_text("0 / 0")
    assert f'[Setup "{replay.tags["Setup"]}"]' in text_of(sheet).input_value()


@pytest.mark.full
def test_members_on_the_sheet_of_a_club_are_the_players_of_this_site(
    live: str, open_page: Callable[..., Page], alice: User, bob: User, now: datetime
) -> None:
    club = running.found(slug="casa-formica", name="Casa Formica", meets="", main_ruleset="", by=alice, now=now)
    running.join(ClubLink.objects.get(club=club), bob, now=now)
    page, replay = open_page(alice), shortest(OTHERS["Army Ants"])
    hold_board(can_hold(page)).goto(f"/score/?club={club.slug}")
    set_up(page, dataclasses.replace(replay, tags={**replay.tags, "Red": "alice", "Black": "bob"}))
    assert f'[Site "{urlsplit(live).netloc}"]' in text_of(page).input_value()
    page.get_by_role("tab", name="Setup").click()
    page.get_by_label("Name of player 2").fill("\u00a0bob ")
    assert '[Black "bob"]' in text_of(page).input_value()
    assert f'[Site "{urlsplit(live).netloc}"]' in text_of(page).input_value()
    page.get_by_label("Name of player 2").fill("Zoe\u0308\u2003 B")
    assert '[Black "Zo\u00eb B"]' in text_of(page).input_value()
    assert '[Site ""]' in text_of(page).input_value()


@pytest.mark.full
@some_rulesets
def test_whole_game_can_be_scored_by_clicks(sheet: Page, ruleset: AnyRuleset) -> None:
    replay = shortest(ruleset)
    set_up(sheet, replay)
    score(sheet, replay.actions)
    expect(sheet.locator("[data-round]")).to_have_text("The game is over")
    assert digest_of(sheet) == replay.digest()


@pytest.mark.full
def test_scoring_takes_fewer_than_three_clicks_per_action(sheet: Page) -> None:
    long = max((one for one in recorded(RULESETS[0]) if RULESETS[0].outcome(one.last)), key=actions_of)
    paste(sheet, beginning(long))
    touches = score(sheet, long.actions[:TOUCHED])
    assert touches < 3 * TOUCHED


@pytest.mark.full
def test_a_picked_card_stays_picked_when_a_late_answer_comes(sheet: Page) -> None:
    picker = sheet.locator("[data-laying-picker]")
    picker.locator("[data-card]").first.wait_for()
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    sheet.route("**/api/v1/setups/*", hold)
    with sheet.expect_request("**/api/v1/setups/*"):
        sheet.locator("[data-choose-deck]").select_option("printed")
    picker.locator("[data-card='NES*']").click()
    ways = picker.locator("[data-part]")
    expect(ways).to_have_count(4)
    ways.first.evaluate("(way) => way.setAttribute('data-before', '')")
    for route in held:
        route.continue_()
    expect(picker.locator("[data-before]")).to_have_count(0)
    expect(ways).to_have_count(4)


@pytest.mark.full
def test_what_is_laid_and_a_name_written_meanwhile_both_stay(sheet: Page) -> None:
    replay = shortest(RULESETS[0])
    laid = laid_in(sheet, replay.tags["Setup"])
    *others, last = laid.items()
    lay(sheet, dict(others), of=len(laid))
    hold(sheet, "setups")
    touch_card(sheet, *last)
    wait_for_held(sheet)
    name = sheet.get_by_label("Name of player 1")
    name.focus()
    release(sheet)
    begin = sheet.get_by_role("button", name="Begin the game")
    expect(begin).to_be_visible()
    sheet.keyboard.type("Ada")
    expect(name).to_have_value("Ada")
    begin.click()
    expect(sheet.locator("[data-stage-at]")).to_have_text("0 / 0")
    assert f'[Setup "{replay.tags["Setup"]}"]' in text_of(sheet).input_value()
