"""Comments on a game in the browser: about the position that is shown, and sound in all widths and themes."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.comments import writing
from games.models import Game, GameComment
from games.moderation.moderators import make_moderator
from tests.browser.conftest import SCREENS, UploadRecords
from tests.browser.soundness import unsound
from tests.factories import record

SHORT = "1. NS@0,2 R1:N R2:E / Y1:S resign:Y 1-2"
LONG = "> Why not *east*?\n\n- it is nearer\n- it is free\n\n`R1:E` " + "x" * 120


@pytest.fixture
def game(upload_records: UploadRecords) -> Game:
    """A verified game."""
    return upload_records(record(SHORT))[0]


@pytest.fixture
def reported(game: Game, alice: User, bob: User, now: datetime) -> GameComment:
    """Alice's comment, which Carol reported; Bob moderates."""
    make_moderator(bob, now=now)
    comment = writing.write(game, LONG, by=alice, now=now, ply=2)
    writing.report(comment, "Rude", by=User.objects.create_user("carol"), now=now)
    return comment


@pytest.mark.full
def test_comment_is_about_the_position_shown_and_leads_back_to_it(
    game: Game, alice: User, open_page: Callable[..., Page]
) -> None:
    page = open_page(alice)
    page.goto(f"{game.get_absolute_url()}?ply=1")
    page.get_by_role("link", name="Next", exact=True).click()
    form = page.locator(".comment-form")
    expect(form).to_contain_text("About the position after action 2")
    form.get_by_role("checkbox").check()
    form.get_by_label("Your comment").fill("Why not *east*?")
    form.get_by_role("button", name="Publish comment").click()
    expect(page.locator(".comment-text em")).to_have_text("east")
    page.get_by_role("link", name="after action 2").click()
    expect(page.locator(".controls-at [data-at]")).to_have_text("2")
    expect(page.locator("[data-slider]")).to_be_focused()


@pytest.mark.full
@SCREENS
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    reported: GameComment, bob: User, open_page: Callable[..., Page], *, width: int, dark: bool
) -> None:
    page, found = open_page(bob, width=width, dark=dark), {}
    deciding = f"/moderation/comments/{reported.pk}/"
    for path in (reported.game.get_absolute_url(), reported.get_absolute_url(), "/moderation/", deciding):
        page.goto(path)
        found[path] = unsound(page)
    assert {path: faults for path, faults in found.items() if faults} == {}
