"""Every page, signed in or not: light on the wire, still while it opens, never wide, and axe finds nothing."""

from collections.abc import Callable
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import EVERY_SCREEN
from tests.browser.every_page import REPLAYS, Visit, forgotten, visits
from tests.browser.soundness import Fault, unsound
from tests.first_view import MOST, MOST_OF_A_REPLAY, MOST_OF_THE_REFERENCE, MOST_SHIFT, first_view
from tests.tiers import LONG, share

pytestmark = pytest.mark.full
PARTS = 3
"""Tests among which the pages are divided, so that several processes have some."""


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_is_light_and_still_and_axe_finds_nothing_on_it(
    live: str, open_page: Callable[..., Page], now: datetime, part: int
) -> None:
    found, all_visits = {}, visits(now)
    for number, visit in enumerate(of_this_tier(all_visits)[part::PARTS]):
        for width, dark in EVERY_SCREEN if LONG else share(EVERY_SCREEN, number, of=len(EVERY_SCREEN)):
            page = open_page(visit.who, width=width, dark=dark)
            found[f"{visit.name} {visit.path} for {visit.who}, {width}, dark: {dark}"] = _faults(page, visit)
            page.context.close()
    assert {name: faults for name, faults in found.items() if faults} == {}
    assert forgotten(all_visits) == set()


def of_this_tier(found: list[Visit]) -> list[Visit]:
    """Return all visits in the long tier, otherwise one of each page: by turns of a visitor and of an account."""
    pages = [[*some] for _, some in groupby(found, attrgetter("name"))]
    return found if LONG else [some[number % len(some)] for number, some in enumerate(pages)]


def _faults(page: Page, visit: Visit) -> list[Fault]:
    answer = page.request.get(visit.path, headers={"Accept": "text/html"})
    if "text/html" not in answer.headers["content-type"]:
        return []  # it is a file
    if (answer.status, urlsplit(answer.url).path) != (visit.status, visit.path.partition("?")[0]):
        return [("answers", f"{answer.status} {answer.url}")]
    view, most = first_view(page, visit.path), MOST_OF_A_REPLAY if visit.name in REPLAYS else MOST
    most = MOST_OF_THE_REFERENCE if visit.name == "api-docs" else most
    heavy = [("bytes", f"{view.sent:,}")] if view.sent > most else []
    moving = [("moves", f"{view.shift:.3f}")] if view.shift > MOST_SHIFT else []
    return [*heavy, *moving, *unsound(page)]
