"""Games on the running site."""

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Page

from games.models import Game, Upload
from tests.games.judging import judge_all
from tests.games.uploading import take_in
from tests.tiers import by_tier

SCREENS = pytest.mark.parametrize(
    ("width", "dark"),
    by_tier(quick=[(390, True), (1280, False)], long=[(390, True), (390, False), (1280, True), (1280, False)]),
)
"""Every page is looked at on a phone and on a desk, in light and dark."""
HandIn = Callable[..., list[Game]]


@pytest.fixture
def hand_in(live: str, now: datetime) -> HandIn:
    """Take records in and judge them as the worker does, without waiting for one."""

    def games_of(*records: bytes) -> list[Game]:
        upload = take_in(b"\n".join(records), via=Upload.Via.WEB, now=now, filename="evening.agn")
        judge_all(now)
        return [log.game for log in upload.logs.order_by("number") if log.game]

    return games_of


@pytest.fixture
def phone(chromium: Browser, live: str) -> Iterator[Page]:
    """A page on a phone with fingers."""
    context = chromium.new_context(
        base_url=live, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    yield context.new_page()
    context.close()
