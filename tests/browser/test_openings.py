"""The explorer of openings: axe finds nothing on it, and a reader goes on from step to step."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.browser.conftest import SCREENS
from tests.browser.soundness import unsound
from tests.games.search.test_positions import add

pytestmark = pytest.mark.full
FRONTS = "front-1-queen,front-1-queen"


@pytest.fixture
def path(live: str, now: datetime) -> str:
    """Upload two games that begin alike. :returns: the address of their opening."""
    add(now, ("a1~b1", "a8~b8", "draw"), "1-1")
    add(now, ("a1~b1", "resign:B"), "1-2")
    return f"/openings/army-ants/?{urlencode({'opening': FRONTS, 'player': 'Ada'})}"


@SCREENS
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    path: str, alice: User, open_page: Callable[..., Page], *, width: int, dark: bool
) -> None:
    page, found = open_page(alice, width=width, dark=dark), {}
    for name, address in {"games": "/openings/", "opening": path, "refused": f"{path}&opening=fly"}.items():
        page.goto(address)
        found[name] = unsound(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_a_step_leads_on_and_the_path_leads_back(path: str, phone: Page) -> None:
    phone.goto(path)
    phone.get_by_role("link", name="Red swaps two cards").click()
    expect(phone.get_by_role("list", name="This opening").locator("[aria-current]")).to_have_text("Red swaps two cards")
    expect(phone.get_by_label("Player", exact=True)).to_have_value("Ada")
    expect(phone.get_by_text("In 1 game the opening ends here.")).to_be_visible()
    phone.get_by_role("link", name="Start", exact=True).click()
    expect(phone.get_by_role("link", name="Red’s front row: 1 card from 7 to 9 and the queen")).to_be_visible()
