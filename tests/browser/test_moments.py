"""A game at a table that begins at 20:30 in New York is of that day there, and of the next one in Vienna."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Game, Player
from tests.games.evenings import begin_at_table, play

NIGHT = datetime(2026, 10, 16, 0, 30, tzinfo=UTC)
ZONES = pytest.mark.parametrize(
    ("zone", "day", "at"), [("America/New_York", 15, "20:30"), ("Europe/Vienna", 16, "02:30")]
)


@pytest.fixture
def ladder(live: str) -> str:
    first, second = play([(["Ada", "Bea"], [1, 2]), (["Ada", "Bea"], [2, 1])], NIGHT)
    begin_at_table(first, NIGHT)
    Game.objects.filter(pk=second.pk).update(played_from="2026-10-12", played_until="2026-10-12")
    return f"{live}/players/{Player.objects.get(name='Ada').pk}/ladders/atta-ants-online/"


@ZONES
def test_moments_are_of_the_readers_zone_and_days_of_play_stay(
    chromium: Browser, ladder: str, zone: str, day: int, at: str
) -> None:
    page = chromium.new_context(timezone_id=zone).new_page()
    page.goto(ladder)
    expect(page.locator(".entries tbody tr").nth(0)).to_contain_text(re.compile(rf"2026-10-{day} {at}\s+2026-10-12"))
    expect(page.locator(".entries tbody tr").nth(1)).to_contain_text(re.compile(rf"2026-10-{day} {at}\s+2026-10-{day}"))
    assert page.locator(".entries time").first.get_attribute("title") == "2026-10-16 00:30 UTC"
    page.locator("[data-course] svg").focus()
    expect(page.locator("[data-said]")).to_contain_text(f"2026-10-{day}")
    page.context.add_cookies([{"name": "language", "value": "de", "url": ladder}])
    page.reload()
    expect(page.locator(".entries time").first).to_have_text(f"{day}.10.2026 {at}")
    page.context.close()


def test_parts_that_come_later_are_written_in_the_readers_zone(chromium: Browser, ladder: str) -> None:
    page = chromium.new_context(timezone_id="America/New_York").new_page()
    page.goto(ladder)
    late = '<p id="late"><time data-moment datetime="2026-10-16T00:30:00+00:00">2026-10-16 00:30 UTC</time></p>'
    page.evaluate("late => document.querySelector('main').insertAdjacentHTML('beforeend', late)", late)
    expect(page.locator("#late")).to_have_text("2026-10-15 20:30")
    page.context.close()


def test_without_scripts_pages_name_the_zone(chromium: Browser, ladder: str) -> None:
    page: Page = chromium.new_context(java_script_enabled=False, timezone_id="America/New_York").new_page()
    page.goto(ladder)
    expect(page.locator(".entries time").first).to_have_text("2026-10-16 00:30 UTC")
    page.context.close()
