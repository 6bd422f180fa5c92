"""On a running site nobody gets a kept page of a game that they may not see, or that was another's."""

from collections.abc import Callable
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from games.consent.privacy import hide, show
from games.models import Game, Player, Upload
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

Ask = Callable[[User | None], tuple[int, str]]


@pytest.fixture
def uploaded(live: str, transactional_db: None) -> tuple[Game, User]:
    """A public game and its uploader."""
    now, owner = timezone.now(), User.objects.create_user("odette")
    upload = upload_file(record(), via=Upload.Via.WEB, now=now, uploader=owner)
    judge_all(now)
    game = upload.logs.get().game
    assert game
    return game, owner


def ask(address: str, user: User | None = None) -> tuple[int, str]:
    """Return what somebody gets: the status and the page."""
    cookies = Client()
    if user:
        cookies.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    headers = {"Cookie": f"{name}={cookies.cookies[name].value}"} if user else {}
    try:
        with urlopen(Request(address, headers=headers), timeout=20) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as answer:
        return answer.code, ""


@pytest.mark.full
@pytest.mark.parametrize("part", ["/games/{}/", "/games/{}/?ply=1", "/games/{}/embed/", "/api/v1/games/{}/frames"])
def test_game_that_is_hidden_is_gone_at_once_and_back_when_it_is_shown(
    live: str, uploaded: tuple[Game, User], part: str
) -> None:
    game, owner = uploaded
    address = f"{live}{part.format(game.key)}"
    assert [ask(address)[0] for _ in range(3)] == [200] * 3
    hide(game, owner, now=timezone.now())
    assert (ask(address)[0], "embed" in part or ask(address, owner)[0] == 200) == (404, True)
    show(game, owner, now=timezone.now())
    assert ask(address)[0] == 200


@pytest.mark.full
def test_kept_page_shows_no_account_and_the_name_that_a_player_has_now(live: str, uploaded: tuple[Game, User]) -> None:
    game, owner = uploaded
    address, other = f"{live}/games/{game.key}/", User.objects.create_user("onlooker")
    pages = [ask(address, user)[1] for user in (other, None, owner, None)]
    assert [("onlooker" in page, "data-signed-in" in page) for page in pages] == [
        *((True, True), (False, False), (False, True), (False, False))
    ]
    Player.objects.filter(name="Ada").update(name="Adelheid")
    assert "Adelheid" in ask(address)[1]
