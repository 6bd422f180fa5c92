"""Disputed seatings: side by side on the game page, in the account's list, and for moderators."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from games.consent.confirmations import confirm
from games.corrections.rerating import perform_waiting
from games.models import Act, Challenge, Game, Player, Upload
from games.moderation.moderators import make_moderator
from games.moderation.versions import game_version
from games.ratings.acceptance import accept_due, make_due
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db

Browse = Callable[[User | None], Client]
Call = Callable[..., APIClient]


def upload_records(
    names: tuple[str, str], now: datetime, by: User | None = None, options: UploadOptions | None = None
) -> Game:
    upload = upload_file(
        record(names=names), via=Upload.Via.API, now=now, uploader=by, options=options or UploadOptions()
    )
    judge_all(now)
    game = upload.logs.get().game
    assert game
    return game


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Alice plays as Ada, Bob as Bruno."""
    game = upload_records(("Ada", "Bruno"), now)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    return game


@pytest.fixture
def rival(game: Game, mallory: User, now: datetime) -> Game:
    """Mallory uploads the game with exchanged players."""
    return upload_records(("Bruno", "Ada"), now, by=mallory)


def page_text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return words_of(answer.content.decode())


@pytest.mark.full
def test_both_seatings_are_shown_and_named_players_can_choose(
    game: Game, rival: Game, browse: Browse, alice: User, bob: User, mallory: User
) -> None:
    page = page_text(browse(None), f"/games/{game.key}/")
    assert "Until it is settled which upload is correct, the game is unrated." in page
    assert "Other upload R Bruno Y Ada by mallory" in page
    assert "Choose this one" not in page + page_text(browse(mallory), f"/games/{game.key}/")
    assert "Choose this one" in page_text(browse(alice), f"/games/{rival.key}/")
    chosen = {"seating": rival.key}
    answers = [browse(account).post(f"/games/{game.key}/seating/", chosen) for account in (alice, bob)]
    assert [answer["Location"] for answer in answers] == [f"/games/{one.key}/#consent" for one in (game, rival)]
    assert "Who played this game?" not in page_text(browse(None), f"/games/{game.key}/")
    assert "Bruno" in page_text(browse(None), f"/games/{game.key}/")


@pytest.mark.full
def test_held_game_says_that_it_waits_and_why(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    upload_records(("Bruno", "Ada"), now, by=bob)
    page = page_text(browse(None), f"/games/{game.key}/")
    assert (
        "Site ladder: uploads of the same moves name different players, and it is not settled which upload is correct."
        in page
    )
    assert "Site ladder: waiting" in page


def test_invalid_seating_choice_is_rejected(game: Game, rival: Game, browse: Browse, mallory: User) -> None:
    refused = browse(mallory).post(f"/games/{game.key}/seating/", {"seating": rival.key})
    assert refused.status_code == 409
    assert "None of your players is named" in words_of(refused.content.decode())
    assert browse(mallory).post(f"/games/{game.key}/seating/", {"seating": "nothing1"}).status_code == 404


@pytest.mark.full
def test_account_page_lists_games_with_a_disputed_seating(
    game: Game, rival: Game, browse: Browse, alice: User, mallory: User
) -> None:
    for path in ("/account/", "/account/waiting/"):
        assert "Who played these games? " in page_text(browse(alice), path)
        assert "Who played these games?" not in page_text(browse(mallory), path)
    assert "Who played these games? 1 " in page_text(browse(alice), "/account/")
    browse(alice).post(f"/games/{game.key}/seating/", {"seating": rival.key})
    assert "Who played these games?" not in page_text(browse(alice), "/account/waiting/")


def test_account_page_of_a_moderator_counts_seatings_to_settle(
    game: Game, rival: Game, browse: Browse, mallory: User, now: datetime
) -> None:
    make_moderator(mallory, now=now)
    assert "Moderation 1 " in page_text(browse(User.objects.get(pk=mallory.pk)), "/account/")


@pytest.mark.full
def test_rival_seatings_are_paged(game: Game, browse: Browse, mallory: User, now: datetime) -> None:
    strangers = (None, mallory, User.objects.create_user("malvina"))
    for number in range(12):
        upload_records((f"Ant {number}", "Bruno"), now + timedelta(minutes=number), by=strangers[number % 3])
    page = browse(None).get(f"/games/{game.key}/").content.decode()
    assert words_of(page).count("Other upload ") == 5
    older = page.split('href="?seatings_before=')[1].split("#")[0]
    assert page_text(browse(None), f"/games/{game.key}/?seatings_before={older}").count("Other upload ") == 5
    assert browse(None).get(f"/games/{game.key}/?seatings_before=nonsense").status_code == 200


def test_moderator_previews_and_chooses_a_seating(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    make_due([game], now=now)
    accept_due(now=now)
    rival = upload_records(("Cleo", "Bruno"), now)
    moderator = User.objects.create_user("moderator")
    make_moderator(moderator, now=now)
    client = browse(User.objects.get(pk=moderator.pk))
    assert f"Game {game.key} 03/14/2026" in page_text(client, "/moderation/") or game.key in page_text(
        client, "/moderation/"
    )
    path = f"/moderation/games/{game.key}/"
    assert "Preview and choose this seating" in page_text(client, path)
    asked = page_text(client, f"{path}?seating={rival.key}")
    assert "There it will be annulled, and rated again once these players confirm it." in asked
    assert "1 game would be rated differently." in asked
    assert Challenge.objects.get().state == "open"
    done = client.post(path, {"act": "choose", "seating": rival.key, "reason": "Seen.", "version": game_version(game)})
    assert done.status_code == 303
    perform_waiting(now=now)
    assert [act.kind for act in Act.objects.filter(by=moderator).order_by("pk")] == ["game-annulled", "seating-chosen"]
    assert "decided who played a game" in page_text(client, "/moderation/log/")
    version = game_version(Game.objects.get(upheld=True))  # the address leads on to it
    sent = {"seat-R": "Dora", "seat-Y": "Emil", "reason": "Both say so.", "version": version}
    seated = client.post(path, {"act": "seat", **sent})
    assert seated.status_code == 303
    assert Game.objects.get(upheld=True).seatings.filter(player__name__in=("Dora", "Emil")).count() == 2


def test_moderator_who_uploaded_a_seating_must_leave_it_to_another(
    game: Game, rival: Game, browse: Browse, alice: User, mallory: User, now: datetime
) -> None:
    path = f"/moderation/games/{game.key}/"
    for moderator in (alice, mallory):
        make_moderator(moderator, now=now)
    by_uploader = page_text(browse(User.objects.get(pk=mallory.pk)), f"{path}?seating={rival.key}")
    assert "You uploaded this game: another moderator has to decide." in by_uploader
    assert not any(
        offer in by_uploader for offer in ("Keep this seating", "Choose these players", "Save these players")
    )


def test_moderator_named_in_a_seating_can_choose_only_the_others(
    game: Game, browse: Browse, mallory: User, now: datetime
) -> None:
    rival = upload_records(("Cleo", "Bruno"), now)
    Player.objects.filter(name="Cleo").update(account=mallory)
    make_moderator(mallory, now=now)
    shown = page_text(browse(User.objects.get(pk=mallory.pk)), f"/moderation/games/{game.key}/?seating={rival.key}")
    assert "This seating names you: another moderator has to choose it." in shown
    assert "Keep this seating" in shown
    assert "Choose these players" not in shown


@pytest.mark.full
def test_seatings_can_be_read_and_chosen_in_the_api(
    game: Game, rival: Game, call: Call, alice: User, bob: User, mallory: User
) -> None:
    path = f"/api/v1/games/{game.key}/seatings"
    seatings = call().get(path).json()
    assert [seat["name"] for seat in seatings["applies"]["seats"]] == ["Ada", "Bruno"]
    assert [(one["key"], one["by"], one["holds"]) for one in seatings["challenges"]] == [(rival.key, "mallory", True)]
    assert call().get(f"/api/v1/games/{game.key}/consent").json()["ineligible_reason"] == "contested"
    assert [one["key"] for one in call(alice).get("/api/v1/account/seatings").json()["games"]] == [game.key]
    assert call().post(path, {"seating": rival.key}).status_code == 401
    assert call(mallory).post(path, {"seating": rival.key}).json()["error"]["code"] == "not_named"
    assert call(alice).post(path, {"seating": rival.key}).json()["challenges"][0]["chosen"]
    settled = call(bob).post(path, {"seating": rival.key}).json()
    assert (settled["applies"]["key"], settled["challenges"]) == (rival.key, [])
    assert call(bob).post(path, {"seating": rival.key}).status_code == 409
