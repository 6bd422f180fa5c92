"""No page is wider than its window, whatever texts are stored: names, events, sites, clubs, studies, comments."""

from collections.abc import Callable
from datetime import datetime
from itertools import groupby
from operator import attrgetter

import pytest
from playwright.sync_api import Page

from games.models import Upload
from games.uploads.origin import UploadOptions
from tests.browser import longest
from tests.browser.every_page import Visit, visits
from tests.factories import record
from tests.games.judging import count_all, judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.full
WIDTHS = (375, 1280)
TAGS = {"Event": 255, "Site": 255, "Round": 255, "Annotator": 255, "TimeControl": 255, "Termination": 255, "Id": 255}
"""Tags with free text, and the most that each may hold (AGN-FILE-2)."""
WIDE = "[document.documentElement.scrollWidth, innerWidth]"
WIDEST = """() => [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 4).map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 30)}`)"""


def test_no_page_is_wider_than_its_window_with_the_longest_texts(
    live: str, open_page: Callable[..., Page], now: datetime
) -> None:
    found = [*visits(now), *_games_with_the_longest_texts(now)]
    longest.fill()
    wide = {}
    for who, some in groupby(sorted(found, key=lambda visit: str(visit.who)), attrgetter("who")):
        page = open_page(who, width=WIDTHS[0])
        for visit in some:
            if "text/html" not in page.request.get(visit.path, headers={"Accept": "text/html"}).headers["content-type"]:
                continue  # it is a file
            page.goto(visit.path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                needs, has = page.evaluate(WIDE)
                if needs > has:
                    wide[f"{visit.name} {visit.path} for {who}, {width}"] = (needs, page.evaluate(WIDEST))
        page.context.close()
    assert wide == {}


def _games_with_the_longest_texts(now: datetime) -> list[Visit]:
    """Upload a game whose tags are as long as they may be, and one that is rejected."""
    tags = {name: "W" * most for name, most in TAGS.items()}
    names = "W" * 64, "M" * 64
    records = [record(names=names, **tags), record("NS@0,2 R1:N R2:N R1:E / *", names=names, **tags)]
    options = UploadOptions()
    upload = upload_file(b"\n".join(records), via=Upload.Via.WEB, now=now, uploader=None, options=options)
    judge_all(now)
    count_all(now)
    games = [log.game for log in upload.logs.order_by("number") if log.game]
    paths = [
        upload.get_absolute_url(),
        *(f"{game.get_absolute_url()}{part}" for game in games for part in ("", "print/", "films/", "embed/")),
        "/games/",
        "/players/",
    ]
    return [Visit(f"longest {path}", path, None) for path in paths]
