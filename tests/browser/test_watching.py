"""Viewers of a game see it move, on the home page and at its table."""

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Table
from games.playing.reads.people import Person
from tests.games.playing.seating import fresh, guests, play, seated

PLACES = """[...document.querySelectorAll('svg.board .piece')].map(
    (one) => `${one.dataset.id} ${one.getAttribute('transform')}`).sort().join()"""


@pytest.fixture
def people() -> list[Person]:
    return guests(2)


@pytest.fixture
def table(live: str, people: list[Person]) -> Table:
    """A game with a recent action."""
    now: datetime = timezone.now()
    return play(seated(people, now, "army-ants"), people, now, most=3)


@pytest.mark.full
def test_home_page_shows_a_live_game(table: Table, people: list[Person], page: Page) -> None:
    page.goto("/")
    page.locator("a.plate-board").scroll_into_view_if_needed()
    where = page.evaluate(PLACES)
    play(fresh(table), people, timezone.now(), most=1, chance=2)
    page.wait_for_function(f"(was) => {PLACES} !== was", arg=where)
    expect(page.locator("[data-watched-caption]")).to_contain_text(".")
    page.locator("a.plate-board").click()
    expect(page).to_have_url(re.compile(f"/play/{table.key}/$"))


@pytest.mark.full
def test_live_table_updates_without_a_further_request(
    table: Table, people: list[Person], open_page: Callable[..., Page]
) -> None:
    page = open_page()
    page.goto(f"/play/{table.key}/")
    expect(page.locator("svg.board .piece").first).to_be_attached()
    was = page.locator("svg.board").get_attribute("aria-label") or ""
    page.wait_for_load_state()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    play(fresh(table), people, timezone.now(), most=1, chance=2)
    expect(page.locator("svg.board")).not_to_have_attribute("aria-label", was)
    expect(page.locator(".play-tokens code")).to_have_count(4)
    assert asked == []
