"""The moderation pages and an account's mails, on a phone and a desktop, in light and dark."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.consent.confirmations import dispute
from games.models import Acceptance, Flag, Game, Player
from games.moderation.moderators import make_moderator
from games.players.claims import make_claim
from games.ratings.acceptance import accept_due, make_due
from tests.browser.conftest import SCREENS, UploadRecords, on_screen
from tests.browser.soundness import unsound
from tests.factories import duels, record
from tests.games.seats import give_seat
from tests.tiers import by_tier, first_quick

PHONE = 390


@pytest.fixture
def game(upload_records: UploadRecords, alice: User, bob: User, mallory: User, now: datetime) -> Game:
    """A rated game, disputed by Bob and flagged; Mallory claims somebody else's name. Alice moderates."""
    make_moderator(alice, now=now)
    games = upload_records(*duels(3), record("draw 1-1", names=("Adah", "Cleo")))
    make_due(games, now=now)
    accept_due(now=now, watch=False)
    give_seat(games[0], 1, bob, now)
    dispute(games[0], bob, reason="I was ill that evening.", now=now)
    make_claim(Player.objects.get(name="Cleo"), mallory, reason="It is my name.", now=now)
    ada, bruno = Player.objects.get(name="Ada"), Player.objects.get(name="Bruno")
    rivals = {"rival": bruno.pk, "day": 10, "month": 12}
    Flag.objects.create(kind=Flag.Kind.REPEATED_PAIRING, game=games[0], player=ada, params=rivals, raised_at=now)
    return games[0]


def pages(game: Game) -> list[str]:
    adah, ada = Player.objects.get(name="Adah"), Player.objects.get(name="Ada")
    place = Acceptance.objects.get(game=game).pk
    return [
        "/moderation/?find=ada",
        f"/moderation/games/{game.key}/?preview={place}",
        f"/moderation/players/{adah.pk}/?into={ada.pk}",
        "/moderation/log/",
        "/account/mails/",
    ]


@pytest.mark.full
@SCREENS
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    game: Game, alice: User, open_page: Callable[..., Page], *, width: int, dark: bool
) -> None:
    page = open_page(alice, width=width, dark=dark, locale="de-DE")
    found = {}
    for path in on_screen(pages(game), width):
        page.goto(path)
        found[path] = unsound(page)
    assert {path: faults for path, faults in found.items() if faults} == {}


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize("width", by_tier(quick=[PHONE], long=[PHONE, 1280]))
def test_checkbox_of_a_flag_is_placed_before_its_text(alice: User, open_page: Callable[..., Page], width: int) -> None:
    page = open_page(alice, width=width)
    page.goto("/moderation/")
    flag = page.locator(".flags li").first
    box, words = flag.get_by_role("checkbox").bounding_box(), flag.locator("div").bounding_box()
    assert box
    assert words
    assert box["x"] + box["width"] <= words["x"]
    assert box["height"] < words["height"]


@pytest.mark.full
@pytest.mark.parametrize("scripts", first_quick([True, False]))
def test_dispute_is_upheld_after_a_preview(
    game: Game, alice: User, open_page: Callable[..., Page], *, scripts: bool
) -> None:
    page = open_page(alice, width=PHONE, scripts=scripts)
    page.goto("/moderation/")
    page.get_by_role("link", name=f"Game {game.key}").click()
    disputes = page.locator("section[aria-labelledby=disputes]")
    disputes.get_by_role("link", name="Preview and uphold").click()
    expect(page.locator(".preview")).to_contain_text("3 games would be rated differently.")
    disputes.get_by_label("Reason").fill("Two witnesses.")
    disputes.get_by_role("button", name="Uphold: the game is not rated").click()
    expect(disputes).to_contain_text("upheld")
    expect(page.locator("section[aria-labelledby=corrections]")).to_contain_text("ordered")
