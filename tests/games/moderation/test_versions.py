"""Moderators decide about what they read, one after the other."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from django.db import OperationalError, connection, transaction

from games.models import Game, Player, Upload
from games.moderation.versions import game_version, hold_game, hold_player, player_version
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(now: datetime) -> Game:
    """A game of Ada and Bruno."""
    upload_file(record(), via=Upload.Via.API, now=now)
    judge_all(now)
    return Game.objects.get()


def hold_of_another(kind: type[Game] | type[Player]) -> Callable[[], int]:
    """Return how another moderator's decision locks all rows: at once, or not at all."""

    def hold() -> int:
        try:
            with transaction.atomic():
                return len(kind.objects.select_for_update(no_key=True, nowait=True))
        finally:
            connection.close()

    return hold


def held_elsewhere(kind: type[Game] | type[Player]) -> bool:
    """Return whether another connection has to wait for rows."""
    with ThreadPoolExecutor(1) as other:
        return isinstance(other.submit(hold_of_another(kind)).exception(), OperationalError)


def test_game_is_held_from_the_look_at_its_version_until_the_decision(game: Game) -> None:
    with transaction.atomic():
        hold_game(game, game_version(game))
        assert held_elsewhere(Game)
    assert not held_elsewhere(Game)


def test_player_is_held_in_the_same_way(game: Game) -> None:
    ada, bruno = Player.objects.get(name="Ada"), Player.objects.get(name="Bruno")
    with transaction.atomic():
        hold_player(ada, player_version(ada), bruno.pk)
        assert held_elsewhere(Player)
