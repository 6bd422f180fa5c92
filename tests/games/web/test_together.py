"""A player's page shows its reader the games that both played."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Game, Player
from tests.games.evenings import game_of
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]


@pytest.fixture
def games(alice: User, now: datetime) -> list[Game]:
    """Three games of Alice's Ada and of Dora, one of which Cleo won."""
    played = [(("Ada", "Dora"), (1, 2)), (("Cleo", "Ada", "Dora"), (1, 3, 2)), (("Dora", "Ada"), (1, 1))]
    made = [game_of(one, now) for one in played]
    Player.objects.filter(name="Ada").update(account=alice)
    return made


def page_of(name: str, client: Client) -> str:
    return words_of(client.get(Player.objects.get(name=name).get_absolute_url()).content.decode())


def test_a_reader_sees_the_games_with_a_player(games: list[Game], alice: User, browse: Browse) -> None:
    words = page_of("Dora", browse(alice))
    assert "You and Dora 3 games together" in words
    assert "you ahead 1 tied 1 you behind 1" in words
    assert "Dora 2nd, you 3rd of 3" in words
    ada, dora = (Player.objects.get(name=name).pk for name in ("Ada", "Dora"))
    listed = browse(alice).get(f"/games/?player=%23{dora}&opponent=%23{ada}&verdict=verified").content.decode()
    assert all(game.key in listed for game in games)


def test_readers_without_games_with_a_player_see_nothing(
    games: list[Game], alice: User, bob: User, browse: Browse
) -> None:
    for page, reader in (("Dora", None), ("Ada", alice), ("Dora", bob)):
        assert "You and" not in page_of(page, browse(reader))


def test_games_that_a_reader_may_not_see_are_not_counted(games: list[Game], alice: User, browse: Browse) -> None:
    Game.objects.filter(pk=games[0].pk).update(private=True)
    assert "You and Dora 2 games together" in page_of("Dora", browse(alice))


def test_the_games_of_merged_names_are_counted(games: list[Game], alice: User, now: datetime, browse: Browse) -> None:
    game_of((("Adele", "Dora"), (1, 2)), now)
    Player.objects.filter(name="Adele").update(merged_into=Player.objects.get(name="Ada"))
    assert "You and Dora 4 games together" in page_of("Dora", browse(alice))


def test_readers_who_hide_results_do_not_see_who_was_ahead(games: list[Game], alice: User, browse: Browse) -> None:
    client = browse(alice)
    client.cookies["results"] = "hide"
    assert "You and Dora" not in page_of("Dora", client)
