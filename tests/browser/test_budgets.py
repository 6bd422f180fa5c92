"""The home page on a first visit, whatever it shows; and what late scripts move. `test_every_page.py` has all pages."""

from collections.abc import Callable
from operator import attrgetter
from time import sleep

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from games.records.reads.showcase import SHOWCASES, Showcase
from tests.first_view import MOST, MOST_SHIFT, first_view
from tests.games.playing.seating import guests, play, seated


@pytest.mark.full
@pytest.mark.parametrize("shown", SHOWCASES, ids=attrgetter("name"))
def test_the_home_page_stays_within_its_budget_with_each_of_its_games(
    live: str, open_page: Callable[..., Page], shown: Showcase
) -> None:
    page = open_page(width=390)
    view = first_view(page, f"/?game={shown.name}")
    expect(page.locator(f'.showcase a[href*="{shown.name}"]').first).to_be_attached()
    assert view.sent <= MOST
    assert view.shift <= MOST_SHIFT


@pytest.mark.full
@pytest.mark.parametrize("width", [390, 1280])
def test_the_home_page_stays_within_its_budget_while_a_game_is_played(
    live: str, open_page: Callable[..., Page], width: int
) -> None:
    now, people = timezone.now(), guests(2)
    table = play(seated(people, now), people, now, most=12)
    assert table.state == table.State.PLAYING
    page = open_page(width=width)
    view = first_view(page, "/")
    assert page.locator("[data-watched]").count() == 1
    assert view.sent <= MOST
    assert view.shift <= MOST_SHIFT


@pytest.mark.full
@pytest.mark.parametrize(
    ("path", "script", "below"),
    [
        ("/rules/atta-ants/", "contents", "article.text h1"),
        ("/upload/", "upload", ".field.paste"),
        ("/api/", "code", "article.text h2 >> nth=1"),
    ],
)
def test_scripts_that_arrive_late_move_nothing(
    open_page: Callable[..., Page], path: str, script: str, below: str
) -> None:
    tops = []
    for is_late in (True, False):
        page = open_page(width=390)
        if is_late:
            page.route(f"**/js/{script}.*", lambda route: route.fulfill(body="", content_type="text/javascript"))
        page.goto(path, wait_until="networkidle")
        tops.append(page.locator(below).evaluate("one => Math.round(one.getBoundingClientRect().top)"))
    assert tops[0] == tops[1]


@pytest.mark.full
@pytest.mark.parametrize("width", [390, 1280])
def test_the_score_sheet_stays_in_its_place_while_its_scripts_fill_it(
    open_page: Callable[..., Page], width: int
) -> None:
    def later(route: Route) -> None:
        sleep(0.5)
        route.continue_()

    page = open_page(width=width)
    page.route("**/*score*.js", later)
    assert first_view(page, "/score/").shift <= MOST_SHIFT
