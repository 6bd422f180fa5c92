"""An account finds its games to confirm and can confirm many at once."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import Confirmation, Game, Player, Upload
from tests.factories import duels, record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of
from tests.games.web.test_consent import judged

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]
WAITING = "/account/waiting/"


@pytest.fixture
def games(alice: User, bob: User) -> list[Game]:
    """Three games of Alice as Ada and Bob as Bruno."""
    games = [judged(text=text) for text in duels(3)]
    give_seat(games[0], 0, alice, timezone.now())
    give_seat(games[0], 1, bob, timezone.now())
    return games


def page_text(client: Client, address: str = WAITING) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return words_of(answer.content.decode())


@pytest.mark.full
def test_account_page_lists_games_to_confirm(games: list[Game], alice: User, browse: Browse) -> None:
    words = page_text(browse(alice), "/account/")
    assert "Games to confirm" in words
    assert words.count("Confirm game") == 3


def test_one_game_is_confirmed_with_one_click(games: list[Game], alice: User, browse: Browse) -> None:
    client = browse(alice)
    answer = client.post(WAITING, {"only": games[1].key, "game": [games[0].key]})
    assert (answer.status_code, answer["Location"]) == (303, WAITING)
    assert Confirmation.objects.get().game == games[1]
    words = page_text(client)
    assert "1 game confirmed." in words
    assert games[1].key not in words


def test_several_games_are_confirmed_together_and_rated(
    games: list[Game], alice: User, bob: User, browse: Browse
) -> None:
    keys = [game.key for game in games[:2]]
    for account in (alice, bob):
        browse(account).post(WAITING, {"game": keys})
    assert "2 games" not in page_text(browse(bob))
    numbers = [game.acceptances.get().number for game in games[:2]]
    assert numbers == [1, 2]
    assert "No games to confirm" not in page_text(browse(alice))


@pytest.mark.full
def test_games_that_cannot_be_confirmed_are_reported_one_by_one(
    games: list[Game], alice: User, mallory: User, browse: Browse
) -> None:
    other = judged(text=record(names=("Cleo", "Dora")))
    client = browse(alice)
    client.post(WAITING, {"game": [games[0].key, other.key, "nonsense"]})
    words = page_text(client)
    assert "1 game confirmed." in words
    assert f"{other.key}: None of your players played in this game." in words
    assert "nonsense: There is no such game." in words


def test_account_without_players_sees_an_explanation(mallory: User, browse: Browse, client: Client) -> None:
    assert "No games to confirm." in page_text(browse(mallory))
    assert "All games to confirm" not in page_text(browse(mallory), "/account/")
    assert client.get(WAITING).status_code == 302


def test_games_of_merged_players_are_listed_too(games: list[Game], alice: User, browse: Browse) -> None:
    other = judged(text=record(names=("Ada L.", "Bruno")))
    Player.objects.filter(name="Ada L.").update(merged_into=Player.objects.get(name="Ada"))
    assert other.key in page_text(browse(alice))


def test_paging_continues_after_the_last_listed_game(alice: User, browse: Browse) -> None:
    upload_file(b"\n".join(duels(52)), via=Upload.Via.WEB, now=timezone.now())
    judge_all(timezone.now())
    give_seat(Game.objects.earliest("pk"), 0, alice, timezone.now())
    client = browse(alice)
    html = client.get(WAITING).content.decode()
    assert html.count('name="only"') == 50
    older = html.split('href="?before=')[1].split('"')[0]
    assert client.get(f"{WAITING}?before={older}").content.decode().count('name="only"') == 2
    assert client.get(f"{WAITING}?before=x").status_code == 400


def test_list_of_games_to_confirm_needs_few_queries(
    games: list[Game], alice: User, browse: Browse, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = browse(alice)
    with django_assert_num_queries(8):
        client.get(WAITING)
