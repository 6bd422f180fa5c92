"""Frames of a game are drawn once for everybody who may see it."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.consent.privacy import hide
from games.models import Game, Upload
from games.records.reads import replays
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

Browse = Callable[[User | None], Client]


@pytest.fixture
def game(alice: User, now: datetime) -> Game:
    """A public game that Alice uploaded, with frames that nobody has seen."""
    replays._frames_of_record.cache_clear()
    upload = upload_file(record(), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    return Game.objects.get(logs__upload=upload)


def test_readers_of_one_language_share_frames(game: Game, browse: Browse, alice: User, bob: User) -> None:
    seen = [browse(user).get(f"/api/v1/games/{game.key}/frames").json() for user in (alice, bob, None)]
    assert seen[0] == seen[1] == seen[2] != {}
    assert replays._frames_of_record.cache_info().misses == 1


def test_readers_of_another_language_do_not(game: Game, browse: Browse) -> None:
    texts = [
        browse(None).get(f"/api/v1/games/{game.key}/frames", headers={"Accept-Language": language}).content
        for language in ("en", "de", "en")
    ]
    assert texts[0] == texts[2] != texts[1]


def test_strangers_get_no_frames_that_others_of_a_private_game_have_seen(
    game: Game, browse: Browse, alice: User, mallory: User, now: datetime
) -> None:
    hide(game, alice, now=now)
    readers = (alice, None, mallory, alice)
    statuses = [browse(user).get(f"/api/v1/games/{game.key}/frames").status_code for user in readers]
    assert statuses == [200, 404, 404, 200]
