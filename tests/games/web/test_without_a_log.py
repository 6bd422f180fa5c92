"""A game without a log, as only rows made by hand can be: none of its addresses fails, nor a page that lists it."""

import re
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.daily.choosing import choose
from games.models import Game
from tests.games.evenings import game_of
from tests.games.test_access import ROUTES

pytestmark = pytest.mark.django_db

LISTS = ("/", "/games/", "/games.atom", "/sitemap.xml", "/api/v1/games", "/api/v1/games/export", "/search/?q=Ada")
OF_A_GAME = sorted(
    name
    for name, route in ROUTES.items()
    if "games/" in route and re.findall(r"<(?:\w+:)?(\w+)>", route) == ["key"] and "moderation" not in route
)


@pytest.fixture
def game(now: datetime) -> Game:
    return game_of((("Ada", "Bruno"), (1, 2)), now)


def test_each_address_of_a_game_is_tried() -> None:
    assert {"game", "game-thumbnail", "game-embed", "api-game-log", "api-game-picture"} <= set(OF_A_GAME)


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_address_of_a_game_without_a_log_fails(game: Game, alice: User, method: str) -> None:
    reader = Client(raise_request_exception=False)
    reader.force_login(alice)
    paths = [reverse(name, kwargs={"key": game.key}) for name in OF_A_GAME]
    statuses = {path: getattr(reader, method)(path).status_code for path in paths}
    assert {path: status for path, status in statuses.items() if status >= 500} == {}


def test_the_page_of_a_game_without_a_log_is_not_found(game: Game, client: Client) -> None:
    answer = client.get(f"/games/{game.key}/thumbnail.webp")
    assert answer.status_code == 404
    assert client.get(f"/api/v1/games/{game.key}/log").json()["error"]["code"] == "not_found"


def test_it_is_listed_and_never_the_game_of_the_day(game: Game, client: Client, now: datetime) -> None:
    assert choose(now=now) is None
    assert [client.get(path).status_code for path in LISTS] == [200] * len(LISTS)
    assert game.key in client.get("/games/").content.decode()
