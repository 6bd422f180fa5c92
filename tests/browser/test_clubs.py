"""A club in the browser: founded with one form, joined by a link, in all widths and themes."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from games.clubs import running
from games.clubs.announcing import set_webhook
from games.models import ClubWebhook
from tests.browser.conftest import SCREENS, on_screen
from tests.browser.soundness import unsound
from tests.games.evenings import play


def test_a_club_is_founded_and_joined_by_its_link(
    live: str, alice: User, bob: User, open_page: Callable[..., Page]
) -> None:
    page = open_page(alice)
    page.goto("/clubs/")
    page.get_by_role("link", name="Start a club").click()
    page.get_by_label("Name").fill("Casa Formica")
    expect(page.locator(".club-preview h2")).to_have_text("Casa Formica")
    expect(page.get_by_label("Address")).to_have_value("casa-formica")
    page.get_by_role("button", name="Start the club").click()
    address = page.locator(".club-link code").inner_text()
    guest = open_page(bob, width=390, scripts=False)
    guest.goto(address)
    guest.get_by_role("button", name="Join the club").click()
    expect(guest.get_by_role("alert").or_(guest.get_by_role("status")).first).to_contain_text(
        "Welcome to Casa Formica."
    )
    page.reload()
    expect(page.locator(".count-names")).to_contain_text("bob")


@pytest.mark.full
def test_a_name_typed_before_the_script_arrives_also_gives_the_address(
    alice: User, open_page: Callable[..., Page]
) -> None:
    page, waiting = open_page(alice), list[Route]()
    page.route("**/js/club.*.js", lambda route: waiting.append(route))  # noqa: PLW0108 - Playwright takes no built-in function
    page.goto("/clubs/new/", wait_until="commit")
    page.get_by_label("Name").fill("Casa Formica")
    expect(page.get_by_label("Address")).to_have_value("")
    waiting[0].continue_()
    expect(page.get_by_label("Address")).to_have_value("casa-formica")


@pytest.mark.full
def test_a_new_club_has_the_time_zone_of_the_founders_browser(alice: User, open_page: Callable[..., Page]) -> None:
    page, plain = open_page(alice), open_page(alice, scripts=False)
    page.context.new_cdp_session(page).send("Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
    for one, zone in ((page, "America/New_York"), (plain, "UTC")):
        one.goto("/clubs/new/")
        expect(one.get_by_label("Time zone")).to_have_value(zone)


@pytest.mark.full
@SCREENS
def test_the_page_of_a_club_is_sound(
    live: str, alice: User, open_page: Callable[..., Page], width: int, *, dark: bool
) -> None:
    now = timezone.now()
    club = running.found(slug="formica", name="Casa Formica", meets="Fridays", main_ruleset="", by=alice, now=now)
    running.add_by_name(club, "Eve", by=alice, now=now)
    running.make_link(club, by=alice, now=now, member=running.add_by_name(club, "Fay", by=alice, now=now))
    url = f"https://hooks.example.org/services/{64 * 'x'}"
    set_webhook(club, url=url, form=ClubWebhook.Form.CHAT, language="en", by=alice, now=now)
    running.plan(club, now.date() + timedelta(days=9), begins=None, place="Café Ameise", by=alice, now=now)
    for days in range(6):
        play([(["Ada", "Bea", "Cem"], [1, 2, 2])], now - timedelta(days=7 * days), club=club)
    page, found = open_page(alice, width=width, dark=dark), {}
    for path in on_screen(("/clubs/formica/", "/clubs/new/", "/clubs/formica/edit/", "/clubs/"), width):
        page.goto(path)
        found[path] = unsound(page)
    assert {path: faults for path, faults in found.items() if faults} == {}
