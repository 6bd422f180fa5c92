"""Recorded games are scored on the sheet, action by action, by clicks alone: the sheet's record is the original's."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.agn.administrative import parse_administrative
from engine.registry import RULESETS
from engine.replay import Replay
from tests.browser.scoring import beginning, digest_of, hold_board, paste, score
from tests.strategies import AnyRuleset, recorded

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)


@pytest.fixture
def sheet(page: Page) -> Page:
    hold_board(page).goto("/score/")
    return page


def actions_of(replay: Replay[Any, Any]) -> int:
    return len(replay.actions)


def shortest(ruleset: AnyRuleset, at_least: int = 8) -> Replay[Any, Any]:
    """The shortest recorded game that was played to its end."""
    played = (one for one in recorded(ruleset) if not any(map(parse_administrative, one.actions)))
    ended = (one for one in played if ruleset.outcome(one.last) and len(one.actions) >= at_least)
    return min(ended, key=actions_of)


@every_ruleset
def test_a_whole_game_is_scored_by_clicks(sheet: Page, ruleset: AnyRuleset) -> None:
    replay = shortest(ruleset)
    paste(sheet, beginning(replay))
    score(sheet, replay.actions)
    expect(sheet.locator("[data-round]")).to_have_text("The game is over")
    assert digest_of(sheet) == replay.digest()


def test_a_long_game_takes_two_and_a_half_touches_an_action(sheet: Page) -> None:
    long = max(
        (one for one in recorded(RULESETS[0]) if RULESETS[0].outcome(one.last)), key=lambda one: len(one.actions)
    )
    paste(sheet, beginning(long))
    touches = score(sheet, long.actions)
    assert (len(long.actions), touches) == (117, 297)
