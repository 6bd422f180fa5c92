"""Replays and what leads on from them, opened up: axe finds nothing, in light and dark, in English and in German."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypedDict
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.models import Game
from games.search.events import find_events
from games.search.waiting import index_waiting
from games.studies import writing
from tests.browser.conftest import UploadRecords
from tests.browser.soundness import unsound
from tests.strategies import FIXTURES
from tests.tiers import by_tier

pytestmark = pytest.mark.full


class View(TypedDict):
    """How a page is looked at."""

    width: int
    dark: bool
    locale: str


def views(*, dark: dict[int, str], light: dict[int, str]) -> list[View]:
    """Return views by their widths, each with its language."""
    both = ((True, dark), (False, light))
    return [View(width=width, dark=one, locale=locale) for one, some in both for width, locale in some.items()]


IN_EVERY_VIEW = pytest.mark.parametrize(
    "view",
    by_tier(
        quick=views(dark={390: "de"}, light={1280: "en-US"}),
        long=views(dark={390: "de", 1280: "en-US"}, light={1280: "de", 390: "en-US"}),
    ),
    ids=lambda view: "-".join(map(str, view.values())),
)
RECORDS = (
    "atta_ants/games/shared-second-of-four.agn", "ant_trails/games/loops.agn", "army_ants/games/at-random.agn",
)  # fmt: skip


@pytest.fixture
def games(upload_records: UploadRecords) -> list[Game]:
    """Games of Atta Ants, Ant Trails and Army Ants, which searches find."""
    found = upload_records(*((FIXTURES / name).read_bytes() for name in RECORDS))
    index_waiting(has_time=lambda: True)
    find_events(has_time=lambda: True)
    return [next(game for game in found if game.ruleset.startswith(kind)) for kind in ("atta", "ant-", "army")]


def sound(page: Page, paths: Iterable[str]) -> None:
    """Assert that nothing is wrong with some pages, all of whose parts are unfolded."""
    found = {}
    for path in paths:
        page.goto(path)
        page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        found[path] = unsound(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@IN_EVERY_VIEW
def test_axe_finds_nothing_while_somebody_looks_closer(
    games: list[Game], open_page: Callable[..., Page], view: View
) -> None:
    page = open_page(**view)
    sound(page, (f"{game.get_absolute_url()}?ply=20&closer" for game in games))


@IN_EVERY_VIEW
def test_axe_finds_nothing_while_somebody_tries_what_if(
    games: list[Game], open_page: Callable[..., Page], view: View
) -> None:
    page = open_page(**view)
    found = {}
    for game in games:
        page.goto(f"{game.get_absolute_url()}?ply=20")
        page.locator("[data-what-if]").click()
        option = page.locator(".is-free [role=option]")
        expect(option.first).to_be_visible()
        found[game.ruleset] = unsound(page)
    assert {ruleset: wrong for ruleset, wrong in found.items() if wrong} == {}


@IN_EVERY_VIEW
def test_axe_finds_nothing_in_studies_that_are_read_or_edited(
    games: list[Game],
    alice: User,
    open_page: Callable[..., Page],
    now: datetime,
    view: View,
) -> None:
    chapters = [writing.chapter_about(game, game.ruleset, [], alice) for game in games]
    study = writing.create(writing.About("All three", "public"), chapters, by=alice, now=now)
    at = [f"{study.get_absolute_url()}?{urlencode({'chapter': number, 'node': 20})}" for number in range(1, 4)]
    sound(open_page(**view), at)
    page = open_page(alice, **view)
    sound(page, at)
    page.locator("[data-act-here]").click()
    expect(page.get_by_role("combobox").last).to_be_visible()
    assert unsound(page) == []


@IN_EVERY_VIEW
def test_axe_finds_nothing_where_games_are_searched_printed_and_embedded(
    games: list[Game], open_page: Callable[..., Page], view: View
) -> None:
    events = {"event": "eaten", "event2": "leaf", "event2_last": "on"}
    theme = "dark" if view["dark"] else "light"
    paths = ["/search/?q=a", f"/games/?{urlencode(events)}", "/games/?event2_size=3", "/openings/"]
    paths += [f"/games/?position={games[0].key}:20", f"{games[0].get_absolute_url()}films/"]
    paths += [f"/openings/{game.ruleset}/" for game in games]
    for game in games:
        here = game.get_absolute_url()
        paths += [f"{here}print/?each=turn", f"{here}embed/?ply=20&theme={theme}", here]
    sound(open_page(**view), paths)
