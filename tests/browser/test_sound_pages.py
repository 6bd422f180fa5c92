"""The pages around replays: axe finds nothing on them, on a phone and on a desk, light and dark, in both languages."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.templatetags.static import static
from playwright.sync_api import Page, expect

from games.collections import keeping
from games.films import making
from games.films.asking import ask_for
from games.films.options import FilmOptions
from games.models import Game
from games.studies import writing
from tests.browser.conftest import UploadRecords
from tests.browser.soundness import unsound
from tests.factories import record
from tests.first_view import MOST_SHIFT, first_view
from tests.tiers import by_tier

pytestmark = pytest.mark.full
RECORD = record("1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2")
MOTION = "async (one, module) => (await import(module)).motionOf(one)"
VIEWS = [(390, True, "de"), (1280, False, "en-US")]
ALL_VIEWS = [(width, dark, locale) for width in (390, 1280) for dark in (True, False) for locale in ("de", "en-US")]


@pytest.fixture
def pages(upload_records: UploadRecords, alice: User, now: datetime) -> dict[str, str]:
    """Return the addresses of Alice's pages, with content."""
    (game,) = upload_records(RECORD)
    film = ask_for(game, FilmOptions(size=120, last=3), plies=6, by="x", now=now)
    making.make_due(now=lambda: now, has_time=lambda: True)
    kept = keeping.make(alice, "Brave ants", public=True, now=now)
    keeping.add(kept, game, now=now)
    return {
        "study": f"{study_of(game, alice, now)}?node=1",
        "studies": "/studies/",
        "collections": "/account/collections/",
        "collection": f"/collections/{kept.key}/",
        "films": f"{game.get_absolute_url()}films/",
        "film": f"{game.get_absolute_url()}films/{film.pk}/",
        "print": f"{game.get_absolute_url()}print/",
        "offline": "/games/offline/",
        "replay": f"{game.get_absolute_url()}?ply=2",
    }


def study_of(game: Game, account: User, now: datetime) -> str:
    chapter = writing.chapter_about(game, "First", [], account)
    return writing.create(writing.About("Openings", "public"), [chapter], by=account, now=now).get_absolute_url()


@pytest.mark.parametrize(("width", "dark", "locale"), by_tier(quick=VIEWS, long=ALL_VIEWS))
def test_axe_finds_nothing_on_pages_around_replays(
    pages: dict[str, str], alice: User, open_page: Callable[..., Page], width: int, *, dark: bool, locale: str
) -> None:
    page = open_page(alice, width=width, dark=dark, locale=locale)
    found = {}
    for name, path in pages.items():
        page.goto(path)
        found[name] = unsound(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("width", [390, 1280])
def test_replays_and_studies_open_without_layout_shifts(
    pages: dict[str, str], alice: User, open_page: Callable[..., Page], width: int
) -> None:
    shifts = {name: first_view(open_page(alice, width=width), pages[name]).shift for name in ("replay", "study")}
    assert {name: shift for name, shift in shifts.items() if shift > MOST_SHIFT} == {}


def test_films_are_still_and_steps_do_not_move_where_less_motion_is_asked_for(
    pages: dict[str, str], page: Page
) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(pages["film"])
    assert "/picture?ply=0" in page.locator(".film-shown").evaluate("one => one.currentSrc")
    expect(page.get_by_role("link", name="Play the film")).to_be_visible()
    page.goto(pages["replay"])
    assert page.locator("[data-replay]").evaluate(MOTION, static("games/js/scene.js")) == 0
    page.emulate_media(reduced_motion="no-preference")
    page.goto(pages["film"])
    assert page.locator(".film-shown").evaluate("one => one.currentSrc").endswith("/file")
