"""Tables can be played by keyboard alone and by touch: what was selected is what is stored."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from engine.registry import RULESETS
from games.models import TableAction
from tests.browser.acting import Hand, Keys, Thumb, do, named
from tests.browser.scoring import hold_board
from tests.strategies import AnyRuleset
from tests.tiers import by_tier, share

ACTIONS = by_tier(quick=3, long=60)
DEALT = [one for one in RULESETS if not one.dealer.lay]
PICK = "(number) => { const { ends } = board.spelling; return ends[(7 * number) % ends.length]?.token; }"


def sit_down(page: Page, ruleset: AnyRuleset) -> None:
    """Open a table for two on one screen and start."""
    hold_board(page).goto("/play/")
    page.get_by_label("Game", exact=True).select_option(ruleset.slug)
    page.get_by_label("Against", exact=True).select_option("screen")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("svg.board .piece").first).to_be_attached()


def act(page: Page, hand: Hand) -> list[str]:
    """Play some actions, or until the game is over; return their tokens."""
    tokens = list[str]()
    while True:
        page.wait_for_function("(ply) => board.position.ply === ply && !board.busy", arg=len(tokens))
        if len(tokens) == ACTIONS or not (token := page.evaluate(PICK, len(tokens))):
            return tokens
        tokens.append(token)
        do(page, hand, token)


def stored() -> list[str]:
    return list(TableAction.objects.order_by("ply").values_list("token", flat=True))


@pytest.mark.parametrize("ruleset", share(DEALT, 0, of=2), ids=named)
def test_table_can_be_played_by_keyboard_alone(open_page: Callable[..., Page], ruleset: AnyRuleset) -> None:
    page = open_page()
    sit_down(page, ruleset)
    assert act(page, Keys()) == stored()


@pytest.mark.parametrize("ruleset", share(DEALT, 1, of=2), ids=named)
def test_table_can_be_played_by_touch(phone: Page, ruleset: AnyRuleset) -> None:
    sit_down(phone, ruleset)
    assert act(phone, Thumb()) == stored()
    assert phone.evaluate("scrollY") == 0
