"""The game of the day: chosen by its story, once a day, and shown on the home page."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from games.daily.choosing import choose, score
from games.daily.reads import game_of_the_day
from games.models import Game, GameOfTheDay, Upload
from games.models.records import VerdictKind
from games.records.reads.replays import first_log, story_of_log
from games.records.reads.visibility import NOBODY
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

SHOWCASE = Path(__file__).resolve().parents[3] / "games" / "showcase" / "atta-ants.agn"


@pytest.fixture
def games(db: None, now: datetime) -> tuple[Game, Game]:
    """An eventful game, and one in which nothing happened, uploaded later."""
    found = []
    for data in (SHOWCASE.read_bytes(), record("1. NS@0,2 R1:N resign:R 2-1")):
        upload = upload_file(data, via=Upload.Via.WEB, now=now)
        judge_all(now)
        found.append(Game.objects.get(logs__upload=upload))
    eventful, dull = found
    return eventful, dull


def test_the_more_eventful_game_is_chosen(games: tuple[Game, Game], now: datetime) -> None:
    eventful, dull = (story_of_log(first_log(game, NOBODY)) for game in games)
    assert eventful is not None
    assert dull is not None
    assert score(eventful) > score(dull)
    chosen = choose(now=now)
    assert chosen is not None
    assert (chosen.day, chosen.game) == (now.date(), games[0])


def test_the_choice_of_a_day_stays(games: tuple[Game, Game], now: datetime) -> None:
    first = choose(now=now)
    assert choose(now=now + timedelta(hours=8)) == first
    assert GameOfTheDay.objects.count() == 1


def test_a_game_comes_again_after_a_year_at_the_earliest(games: tuple[Game, Game], now: datetime) -> None:
    days = [now + timedelta(days=days) for days in (0, 1, 2, 365)]
    chosen = [choose(now=day) for day in days]
    assert [one.game if one else None for one in chosen] == [games[0], games[1], None, games[0]]


def test_without_games_there_is_none(db: None, now: datetime, client: Client) -> None:
    assert choose(now=now) is None
    assert "Game of the day" not in client.get("/").content.decode()
    assert client.get("/api/v1/games/of-the-day").status_code == 404


def test_a_game_that_became_private_is_not_shown(games: tuple[Game, Game], now: datetime) -> None:
    choose(now=now)
    Game.objects.filter(pk=games[0].pk).update(private=True)
    assert game_of_the_day(now.date()) is None


def test_a_game_that_was_rejected_later_is_not_shown(games: tuple[Game, Game], now: datetime) -> None:
    choose(now=now)
    Game.objects.filter(pk=games[0].pk).update(verdict=VerdictKind.REJECTED)
    assert game_of_the_day(now.date()) is None


def test_an_old_choice_is_not_shown_for_ever(games: tuple[Game, Game], now: datetime) -> None:
    choose(now=now)
    assert game_of_the_day(now.date() + timedelta(days=7)) is not None
    assert game_of_the_day(now.date() + timedelta(days=8)) is None


def test_the_home_page_and_programs_show_it(games: tuple[Game, Game], client: Client) -> None:
    choose(now=timezone.now())
    html = client.get("/").content.decode()
    assert "Game of the day" in html
    assert f'href="/games/{games[0].key}/?ply=0"' in html
    assert client.get("/api/v1/games/of-the-day").json()["game"]["key"] == games[0].key
