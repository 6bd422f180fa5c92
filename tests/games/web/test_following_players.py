"""Following players on their pages and through the API."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from games.models import Player
from tests.games.evenings import play, player
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]


@pytest.fixture
def ada(now: datetime) -> Player:
    """Ada, who has won a rated game."""
    play([(("Ada", "Bruno"), (1, 2))], now)
    return player("Ada", now)


@pytest.mark.full
def test_a_player_is_followed_and_unfollowed_without_a_script(ada: Player, alice: User, browse: Browse) -> None:
    client, address = browse(alice), ada.get_absolute_url()
    followed = client.post(f"{address}follow/", {"follow": "yes"}, follow=True)
    assert "Unfollow You follow this player. Only you can see this." in words_of(followed.content.decode())
    assert "Ada 1st · Atta Ants, online rules" in words_of(client.get("/account/following/").content.decode())
    listed = client.post(f"{address}follow/", {"follow": "no", "back": "list"})
    assert listed["Location"] == "/account/following/"
    assert "You follow nobody yet." in words_of(client.get("/account/following/").content.decode())


def test_the_list_shows_no_places_while_results_are_hidden(ada: Player, alice: User, browse: Browse) -> None:
    client = browse(alice)
    client.post(f"{ada.get_absolute_url()}follow/", {"follow": "yes"})
    assert "Ada 1st ·" in words_of(client.get("/account/following/").content.decode())
    client.cookies["results"] = "hide"
    hidden = words_of(client.get("/account/following/").content.decode())
    assert "1st" not in hidden
    assert "Ada Atta Ants, online rules" in hidden


def test_visitors_sign_in_first_and_come_back(ada: Player, client: Client) -> None:
    page = client.get(ada.get_absolute_url()).content.decode()
    assert f'href="/account/login/?next=%2Fplayers%2F{ada.pk}%2F" rel="nofollow">Follow</a>' in page
    assert client.post(f"/players/{ada.pk}/follow/", {"follow": "yes"}).status_code == 302


def test_ones_own_player_has_no_follow_button(ada: Player, alice: User, browse: Browse) -> None:
    Player.objects.filter(pk=ada.pk).update(account=alice)
    client = browse(alice)
    assert "data-follow" not in client.get(ada.get_absolute_url()).content.decode()
    refused = client.post(f"/players/{ada.pk}/follow/", {"follow": "yes"}, follow=True)
    assert "This is your own player." in words_of(refused.content.decode())


def test_a_program_follows_lists_and_unfollows(ada: Player, alice: User, call: Callable[..., APIClient]) -> None:
    api, address = call(alice), f"/api/v1/players/{ada.pk}/following"
    assert api.get(address).json() == {"following": False}
    assert api.put(address, {"following": True}, format="json").json() == {"following": True}
    [found] = api.get("/api/v1/account/following").json()["players"]
    assert (found["player"]["name"], found["newest"]["place"], found["newest"]["number"]) == ("Ada", 1, 1)
    assert api.put(address, {"following": False}, format="json").json() == {"following": False}
    assert api.get("/api/v1/account/following").json() == {"players": [], "newer": None, "older": None}


def test_the_api_refuses_to_follow_ones_own_player(ada: Player, alice: User, call: Callable[..., APIClient]) -> None:
    Player.objects.filter(pk=ada.pk).update(account=alice)
    refused = call(alice).put(f"/api/v1/players/{ada.pk}/following", {"following": True}, format="json")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "own_player")


@pytest.mark.full
def test_the_list_needs_as_many_statements_for_ten_players_as_for_one(
    alice: User, browse: Browse, now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    names = [f"Player {number}" for number in range(10)]
    play([((name, "Bruno"), (1, 2)) for name in names], now)
    client = browse(alice)
    for followed in (names[:1], names[1:]):
        for name in followed:
            client.post(f"/players/{player(name, now).pk}/follow/", {"follow": "yes"})
        with django_assert_num_queries(8):
            client.get("/account/following/")
