"""The page of two players, and the same in the API: their score, by seat, and their games."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Game, Player
from tests.games.evenings import RULESET, game_of, play
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]


@pytest.fixture
def games(now: datetime) -> list[Game]:
    """Ada began two games against Dora, won one and tied one; Dora began two, one with Cleo, and won both."""
    return [
        game_of(one, now)
        for one in [
            (("Ada", "Dora"), (1, 2)),
            (("Ada", "Dora"), (1, 1)),
            (("Dora", "Ada"), (1, 2)),
            (("Dora", "Cleo", "Ada"), (1, 3, 2)),
            (("Ada", "Cleo"), (1, 2)),
        ]
    ]


def number_of(name: str) -> int:
    return Player.objects.get(name=name).pk


def address(one: str, other: str) -> str:
    return f"/players/{number_of(one)}/against/{number_of(other)}/"


def test_the_page_of_two_players_has_their_score_and_their_games(games: list[Game], client: Client) -> None:
    page = client.get(address("Ada", "Dora")).content.decode()
    assert "Ada ahead 1 tied 1 Dora ahead 2" in words_of(page)
    assert "acts first 1 1 0 2 acts second 0 0 1 1 acts third 0 0 1 1" in words_of(page)
    assert "Red 1 1 0 2 Yellow 0 0 1 1" in words_of(page)
    assert [game.key in page for game in games] == [True] * 4 + [False]
    assert f'href="{address("Dora", "Ada")}"' in page


def test_the_page_as_the_other_sees_it_is_turned(games: list[Game], client: Client) -> None:
    page = words_of(client.get(address("Dora", "Ada")).content.decode())
    assert "Dora ahead 2 tied 1 Ada ahead 1" in page
    assert "acts first 2 0 0 2 acts second 0 1 1 2" in page


def test_an_opponents_bar_leads_to_the_page_of_the_two(now: datetime, client: Client) -> None:
    play([(("Ada", "Dora"), (1, 2))], now)
    page = client.get(f"/players/{number_of('Ada')}/").content.decode()
    assert f'class="rival-bar" href="{address("Ada", "Dora")}"' in page
    career = client.get(f"/players/{number_of('Ada')}/ladders/{RULESET}/").content.decode()
    assert f'href="{address("Ada", "Dora")}"' in career


@pytest.mark.parametrize(
    ("query", "games_found"),
    [("", 4), ("?since=2999-01-01", 0), ("?edition=2003", 0), ("?shortest=10", 0), ("?game=Atta+Ants&longest=9", 4)],
)
def test_page_and_api_take_the_filters_of_other_lists(
    games: list[Game], client: Client, query: str, games_found: int
) -> None:
    page = words_of(client.get(address("Ada", "Dora") + query).content.decode())
    assert (f"{games_found} games" if games_found else "No games match") in page
    answer = client.get(f"/api/v1{address('Ada', 'Dora')[:-1]}{query}").json()
    assert answer["score"]["games"] == games_found
    assert len(client.get(answer["games_url"]).json()["games"]) == games_found


def test_api_has_the_score_by_turn_and_seat(games: list[Game], client: Client) -> None:
    answer = client.get(f"/api/v1{address('Ada', 'Dora')[:-1]}").json()
    assert (answer["player"]["name"], answer["opponent"]["name"]) == ("Ada", "Dora")
    assert answer["score"] == {"games": 4, "ahead": 1, "tied": 1, "behind": 2}
    (of_atta,) = answer["rulesets"]
    assert of_atta["by_turn"][0] == {"name": "1", "score": {"games": 2, "ahead": 1, "tied": 1, "behind": 0}}
    assert [one["name"] for one in of_atta["by_seat"]] == ["O", "R", "Y"]


@pytest.mark.parametrize("query", ["player=%231", "verdict=rejected", "place=1", "before=x"])
def test_api_refuses_what_the_address_says_already(games: list[Game], client: Client, query: str) -> None:
    assert client.get(f"/api/v1{address('Ada', 'Dora')[:-1]}?{query}").status_code == 400


def test_a_wrong_filter_is_named_beside_its_field(games: list[Game], client: Client) -> None:
    answer = client.get(f"{address('Ada', 'Dora')}?since=2026-05-02&until=2026-05-01")
    assert answer.status_code == 400
    assert "This range ends before it begins." in answer.content.decode()


def test_nobody_plays_against_themself(games: list[Game], client: Client) -> None:
    Player.objects.filter(name="Cleo").update(merged_into=number_of("Ada"))
    for one, other in (("Ada", "Ada"), ("Ada", "Cleo")):
        assert client.get(address(one, other)).status_code == 404
        assert client.get(f"/api/v1{address(one, other)[:-1]}").status_code == 404


def test_games_of_merged_names_count(games: list[Game], now: datetime, client: Client) -> None:
    game_of((("Adele", "Dora"), (1, 2)), now)
    Player.objects.filter(name="Adele").update(merged_into=number_of("Ada"))
    assert "Ada ahead 2 tied 1 Dora ahead 2" in words_of(client.get(address("Ada", "Dora")).content.decode())


def test_games_that_a_reader_may_not_see_are_not_counted(games: list[Game], client: Client) -> None:
    Game.objects.filter(pk=games[0].pk).update(private=True)
    assert client.get(f"/api/v1{address('Ada', 'Dora')[:-1]}").json()["score"]["games"] == 3


def test_readers_who_hide_results_see_no_score(games: list[Game], client: Client) -> None:
    client.cookies["results"] = "hide"
    assert "Ada ahead" not in words_of(client.get(address("Ada", "Dora")).content.decode())
    assert "Ada ahead 1" in words_of(client.get(f"{address('Ada', 'Dora')}?result=1").content.decode())


def test_a_reader_is_led_to_the_page_of_both(games: list[Game], alice: User, browse: Browse) -> None:
    Player.objects.filter(name="Ada").update(account=alice)
    page = browse(alice).get(f"/players/{number_of('Dora')}/").content.decode()
    assert f'href="{address("Ada", "Dora")}"' in page


def test_the_games_of_two_players_can_be_sorted(games: list[Game], client: Client) -> None:
    page = client.get(f"{address('Ada', 'Dora')}?sort=length&game=Atta+Ants").content.decode()
    shown = [(game.plies, game.pk, page.index(f"/games/{game.key}/")) for game in games[:4]]
    assert [at for *_, at in sorted(shown, reverse=True)] == sorted(at for *_, at in shown)
    assert f'href="{address("Ada", "Dora")}?game=Atta+Ants&amp;sort=comments#games"' in page
    assert '<input type="hidden" name="sort" value="length">' in page
    assert client.get(f"{address('Ada', 'Dora')}?sort=beauty").status_code == 400
