"""The button with which an account follows a player."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.models import Follow
from tests.games.evenings import player


@pytest.mark.full
def test_following_changes_the_button_and_leaves_the_page_as_it_is(
    live: str, open_page: Callable[..., Page], now: datetime
) -> None:
    alice, ada = User.objects.create_user("alice"), player("Ada", now)
    page = open_page(alice)
    page.goto(ada.get_absolute_url())
    page.evaluate("document.body.dataset.same = 'page'")
    page.get_by_role("button", name="Follow", exact=True).click()
    expect(page.get_by_role("button", name="Unfollow")).to_be_focused()
    assert Follow.objects.filter(account=alice, player=ada).exists()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Follow", exact=True)).to_be_focused()
    assert not Follow.objects.exists()
    assert page.evaluate("document.body.dataset.same") == "page"
