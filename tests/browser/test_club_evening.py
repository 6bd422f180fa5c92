"""The way of a club: founded, joined by four, an evening of five games, its ladder; in a limited number of clicks."""

from collections.abc import Callable
from datetime import timedelta
from typing import Literal

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.run import rate_waiting
from tests.factories import duels
from tests.games.judging import judge_all
from tests.tiers import first_quick

WIDE = 900
CLICKS = 12
"""Six of the founder, two of each of three others who join and answer."""


class Hands:
    """Counts the clicks of everybody."""

    clicks = 0

    def click(self, page: Page, role: Literal["button", "link"], name: str) -> None:
        page.get_by_role(role, name=name).first.click()
        self.clicks += 1


@pytest.mark.full
@pytest.mark.parametrize("width", first_quick([1280, 390]))
def test_a_club_of_four_has_its_evening_and_ladder_after_twelve_clicks(
    live: str, alice: User, open_page: Callable[..., Page], width: int
) -> None:
    now, hands, founder = timezone.now(), Hands(), open_page(alice, width=width)
    founder.goto("/")
    hands.click(founder, "link", "Start a club")
    founder.get_by_label("Name").fill("Casa Formica")
    hands.click(founder, "button", "Start the club")
    address = founder.locator(".club-link code").first.inner_text()
    founder.get_by_label("Day").fill(f"{now.date() + timedelta(days=1)}")
    hands.click(founder, "button", "Plan the evening")
    expect(founder.locator(".club-next")).to_contain_text("0 coming")
    for name in ("Bruno", "Chloé", "Dịu"):
        guest = open_page(User.objects.create_user(name), width=390)
        guest.goto(address)
        hands.click(guest, "button", "Join the club")
        hands.click(guest, "button", "I’m coming")
        expect(guest.locator(".club-next")).to_contain_text(name)
    founder.reload()
    hands.click(founder, "link", "Upload games for the club")
    founder.get_by_label("Or paste the text").fill(b"\n".join(duels(5)).decode())
    hands.click(founder, "button", "Upload")
    founder.wait_for_url("**/uploads/*-*/")
    judge_all(now)
    rate_waiting(now=now)
    founder.reload()
    hands.click(founder, "link", "Casa Formica")
    expect(founder.locator(".club-table")).to_contain_text("Bruno")
    expect(founder.locator("#ladders + ul")).to_contain_text("5 games")
    assert hands.clicks == CLICKS
    if width < WIDE:
        assert top_of(founder, ".club-next") < top_of(founder, ".club-table") < top_of(founder, ".club-invite")


def top_of(page: Page, part: str) -> float:
    """Return where a part of a page begins."""
    box = page.locator(part).bounding_box()
    assert box
    return box["y"]
