"""Playing here in a browser: from the home page to the first action, by mouse and on a phone."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Table, TableAction
from games.playing import dealing, opening
from games.playing.opening import Addition, TableOptions
from tests import chance
from tests.games.playing.seating import guests
from tests.tiers import by_tier

OpenPage = Callable[..., Page]


def to_first_action(page: Page, live: str) -> None:
    """Click from the home page to a game against a bot, in two clicks: one on the page of games to play."""
    page.goto(live)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Play").click()
    expect(page.locator("[data-entropy]").first).not_to_have_value("")  # else the site draws it
    page.get_by_role("button", name="Army Ants: Easy").click()


@pytest.mark.full
def test_a_guest_is_at_a_table_with_a_bot_after_two_clicks(page: Page, live: str) -> None:
    to_first_action(page, live)
    expect(page.locator("[data-stage] svg.board .layer").first).to_be_visible()
    table = Table.objects.get()
    assert (table.state, table.seats.count()) == ("playing", 2)
    drawn = {chance.drawn("browser", number)[:32] for number in range(1, 5)}  # one for each card, and a friend
    assert table.seats.get(joined=0).entropy in drawn, "drawn by the browser"
    assert dealing.secret_of(table) == chance.drawn("games.playing.dealing", 1), "drawn by the site"


@pytest.mark.parametrize("width", by_tier(quick=[390], long=[1280, 390]))
def test_an_action_is_chosen_confirmed_and_stored(open_page: OpenPage, live: str, width: int) -> None:
    page = open_page(width=width)
    page.goto(f"{live}/play/")
    page.get_by_label("Game", exact=True).select_option("army-ants")
    page.get_by_label("Against", exact=True).select_option("screen")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("combobox", name="Action").fill("a")
    page.get_by_role("option").first.click()
    page.locator("[data-confirm-action]").first.click()
    expect(page.locator(".play-tokens code")).to_have_count(1)
    assert TableAction.objects.count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is as wide as the screen"


@pytest.mark.full
def test_two_browsers_see_what_the_other_does(open_page: OpenPage, live: str) -> None:
    one, other = open_page(), open_page()
    one.goto(f"{live}/play/")
    one.get_by_label("Game", exact=True).select_option("ant-trails-2020")
    one.get_by_role("button", name="Open the table").click()
    one.get_by_role("button", name="Take a seat").click()
    expect(one.get_by_label("Link to this table")).to_be_visible()
    other.goto(f"{live}/play/{Table.objects.get().key}/")
    other.get_by_role("button", name="Start").click()
    expect(one.get_by_role("button", name="Resign")).to_be_visible(timeout=20_000)
    other.get_by_role("button", name="Abort").click()
    expect(one.get_by_role("heading", name="Aborted")).to_be_visible(timeout=20_000)
    expect(one.locator("[data-dock-of-table]")).to_be_hidden()


@pytest.mark.full
def test_what_is_filled_in_stays_when_somebody_else_sits_down(open_page: OpenPage, live: str) -> None:
    now, (first, other) = timezone.now(), guests(2)
    table = opening.open_table(TableOptions(ruleset="atta-ants-online", places=3), first, now=now)
    opening.join(table.key, first, Addition("entropy-0"), now=now)
    page = open_page()
    page.goto(table.get_absolute_url())
    page.get_by_role("radio").last.check()
    page.get_by_text("Your part of the deal").click()
    field = page.get_by_label("A text that nobody else knows")
    field.fill("secret")
    field.press("ArrowLeft")
    opening.join(table.key, other, Addition("entropy-1"), now=now)
    expect(page.locator(".play-seat")).to_have_count(2)
    page.keyboard.type("-")
    expect(field).to_have_value("secre-t")
    expect(page.get_by_role("radio").last).to_be_checked()


@pytest.mark.full
@pytest.mark.parametrize("scripts", [True, False])
def test_who_waits_resigns_in_a_dialog_of_the_page(open_page: OpenPage, live: str, scripts: bool) -> None:
    page = open_page(width=390, scripts=scripts)
    now, (other,) = timezone.now(), guests(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", first="opener"), other, now=now)
    opening.join(table.key, other, Addition("entropy"), now=now)
    page.goto(table.get_absolute_url())
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Resign").click()
    dialog = page.get_by_role("dialog", name="Resign this game?")
    dialog.get_by_role("button", name="Play on").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Resign").click()
    dialog.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="You lost")).to_be_visible()
    assert Table.objects.get().termination == "resigned"


@pytest.mark.full
def test_a_turn_ends_by_one_press(page: Page, live: str) -> None:
    page.goto(f"{live}/play/")
    page.get_by_label("Game", exact=True).select_option("ant-trails-2020")
    page.get_by_label("Against", exact=True).select_option("screen")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Start").click()
    for placed in (1, 2):
        page.get_by_role("option").first.click()
        page.locator("[data-confirm-action]").first.click()
        expect(page.locator(".play-tokens code")).to_have_count(placed)
    page.get_by_role("button", name="End turn").first.click()
    expect(page.locator(".play-tokens code")).to_have_count(3)
    assert TableAction.objects.latest("ply").token == "/"
