"""Games on the running site."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TypeVar

import pytest
from playwright.sync_api import Browser, Page

from games.models import Game, Upload
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.tiers import by_tier, first_quick, share

Kind = TypeVar("Kind")
EVERY_SCREEN = [(390, True), (390, False), (1280, True), (1280, False)]
SOME_SCREENS = first_quick([(390, True), (1280, False)])
SCREENS = pytest.mark.parametrize(("width", "dark"), by_tier(quick=SOME_SCREENS, long=EVERY_SCREEN))
"""Every page is looked at on a phone or on a desk, in the long tier on both, in light and dark.

The quick tier looks at some, on a phone.
"""
ONE_SCREEN = pytest.mark.parametrize(("width", "dark"), by_tier(quick=EVERY_SCREEN[:1], long=EVERY_SCREEN))
"""The same for a test of one page."""
PHONE = 390


def on_screen(pages: Sequence[Kind], width: int) -> Sequence[Kind]:
    """Return the pages that are looked at on a screen of a width: half of them, in the quick tier a quarter."""
    return share(pages, width != PHONE, of=by_tier(quick=4, full=2, long=1))


UploadRecords = Callable[..., list[Game]]


def open_switches(page: Page) -> None:
    """Open the menu of language and theme on a desk."""
    page.get_by_role("button", name="Language and theme").click()


@pytest.fixture
def upload_records(live: str, now: datetime) -> UploadRecords:
    """Upload records and judge them as the worker does, without a worker."""

    def games_of(*records: bytes) -> list[Game]:
        upload = upload_file(b"\n".join(records), via=Upload.Via.WEB, now=now, filename="evening.agn")
        judge_all(now)
        return [log.game for log in upload.logs.order_by("number") if log.game]

    return games_of


@pytest.fixture
def phone(chromium: Browser, live: str) -> Iterator[Page]:
    """A page on a phone with a touch screen."""
    context = chromium.new_context(
        base_url=live, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    yield context.new_page()
    context.close()
