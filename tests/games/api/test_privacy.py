"""Hiding and showing a game in the API."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from games.consent.confirmations import confirm, withdraw
from games.models import Act, Game, Upload
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import count_all, judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]


@pytest.fixture
def game(alice: User, now: datetime) -> Game:
    """A game uploaded only by Alice."""
    upload_file(record(), via=Upload.Via.API, now=now, uploader=alice)
    judge_all(now)
    return Game.objects.get()


def set_privacy(client: APIClient, game: Game, *, private: bool) -> Any:
    return client.put(f"/api/v1/games/{game.key}/privacy", {"private": private})


def status_and_code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_sole_uploader_can_hide_and_show_a_game(game: Game, call: Call, alice: User) -> None:
    assert set_privacy(call(alice), game, private=True).json() == {"private": True}
    assert call().get(f"/api/v1/games/{game.key}/privacy").status_code == 404
    assert set_privacy(call(alice), game, private=False).json() == {"private": False}
    assert call().get(f"/api/v1/games/{game.key}/privacy").json() == {"private": False}
    assert [act.kind for act in Act.objects.order_by("pk")] == ["game-hidden", "game-shown"]


def test_a_game_that_others_uploaded_too_stays_public(
    game: Game, call: Call, alice: User, bob: User, now: datetime
) -> None:
    upload_file(record(), via=Upload.Via.API, now=now, uploader=bob)
    judge_all(now)
    assert status_and_code(set_privacy(call(alice), game, private=True)) == (409, "others_uploaded")
    assert not Game.objects.get().private


def test_rated_game_cannot_be_hidden(game: Game, call: Call, alice: User, now: datetime) -> None:
    count_all(now)
    assert status_and_code(set_privacy(call(alice), game, private=True)) == (409, "counts")


@pytest.mark.full
def test_fully_confirmed_game_cannot_be_hidden(
    game: Game, call: Call, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    for seat, account in enumerate((bob, mallory)):
        give_seat(game, seat, account, now)
        confirm(game, account, now=now)
    assert status_and_code(set_privacy(call(alice), game, private=True)) == (409, "confirmed")
    withdraw(game, bob, now=now)
    assert set_privacy(call(alice), game, private=True).json() == {"private": True}


def test_accounts_that_did_not_upload_a_game_cannot_hide_it(game: Game, call: Call, mallory: User) -> None:
    assert status_and_code(set_privacy(call(mallory), game, private=True)) == (409, "others_uploaded")
    assert status_and_code(set_privacy(call(), game, private=True)) == (401, "not_authenticated")
    assert status_and_code(call(mallory).put(f"/api/v1/games/{game.key}/privacy", {})) == (400, "invalid")


def test_two_private_uploads_of_the_same_moves_know_nothing_of_each_other(
    game: Game, call: Call, alice: User, mallory: User, now: datetime
) -> None:
    set_privacy(call(alice), game, private=True)
    upload_file(record(), via=Upload.Via.API, now=now, uploader=mallory, options=UploadOptions(private=True))
    judge_all(now)
    other = Game.objects.get(owner=mallory)
    assert set_privacy(call(mallory), game, private=False).status_code == 404
    assert set_privacy(call(mallory), other, private=False).json() == {"private": False}
    assert Game.objects.get(pk=game.pk).private
    assert status_and_code(set_privacy(call(alice), game, private=False)) == (409, "public_already")
