"""The size of pages on a first visit, and their layout shifts."""

from collections.abc import Callable
from operator import attrgetter

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Player
from games.records.reads.showcase import SHOWCASES, Showcase
from tests.browser.conftest import UploadRecords
from tests.factories import duels
from tests.first_view import first_view
from tests.games.playing.seating import guests, play, seated
from tests.strategies import FIXTURES
from tests.tiers import by_tier, first_quick

MOST, MOST_OF_A_REPLAY = 120_000, 150_000
SHIFTED = 0.02
OTHERS = ("/games/", "/leaderboards/", "/leaderboards/atta-ants-online/", "/rules/", "/rules/atta-ants/", "/upload/",
          "/rules/ant-trails/quick/", "/api/", "/api/v1/docs/", "/api/v1/docs/games/get_game/", "/play/",
          "/privacy/")  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("width", first_quick([390, 1280]))
def test_first_views_stay_within_their_size_budget_without_layout_shifts(
    upload_records: UploadRecords, open_page: Callable[..., Page], width: int
) -> None:
    game, *_ = upload_records((FIXTURES / "ant_trails/games/all-tiles-collected.agn").read_bytes(), *duels(12))
    player = f"/players/{Player.objects.get(name='Ada').pk}/"
    replay = f"/games/{game.key}/?ply=4"
    pages = ("/", replay, player, *by_tier(quick=OTHERS[:1], full=OTHERS, long=OTHERS))
    views = {path: first_view(open_page(width=width), path) for path in pages}
    budgets = {path: MOST_OF_A_REPLAY if path == replay else MOST for path in pages}
    assert {path: view.sent for path, view in views.items() if view.sent > budgets[path]} == {}
    assert {path: view.shift for path, view in views.items() if view.shift > SHIFTED} == {}


@pytest.mark.full
@pytest.mark.parametrize("shown", SHOWCASES, ids=attrgetter("name"))
def test_the_home_page_stays_within_its_budget_with_each_of_its_games(
    live: str, open_page: Callable[..., Page], shown: Showcase
) -> None:
    page = open_page(width=390)
    view = first_view(page, f"/?game={shown.name}")
    expect(page.locator(f'.showcase a[href*="{shown.name}"]').first).to_be_attached()
    assert view.sent <= MOST
    assert view.shift <= SHIFTED


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
    assert view.shift <= SHIFTED


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
