"""The first page."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from engine.registry import RULESETS
from tests.factories import BROKEN, duels, record
from tests.games.playing.seating import guests, play, seated
from tests.games.web.conftest import HandIn, Read


@pytest.mark.django_db
def test_an_empty_site_says_what_will_be_here_and_how_to_begin(read: Read) -> None:
    words = read("/")
    assert "Upload a game" in words
    assert "No games yet. Upload the first one." in words
    assert "The newest verified game will be shown here." in words
    assert words.count("Nobody is ranked yet") == len(RULESETS)


def test_it_shows_the_newest_games_and_the_best_players(hand_in: HandIn, read: Read) -> None:
    hand_in(record("NS@0,2 resign:R 2-1", names=("Ada", "Bruno")))
    words = read("/")
    assert "verified R Ada 2nd Y Bruno 1st" in words
    assert "1 Bruno 1 game 165 2 Ada 1 game 0" in words


def test_the_newest_verified_game_lies_there_as_a_board(hand_in: HandIn, client: Client, now: datetime) -> None:
    (game,) = hand_in(record())
    hand_in(record("NS@0,2 *"), at=now + timedelta(hours=1))
    html = client.get("/").content.decode()
    assert f'<a class="plate-board" href="/games/{game.key}/"><svg' in html
    assert 'id="featured-nest"' in html


@pytest.mark.django_db
def test_a_game_that_is_being_played_takes_that_place_and_moves(client: Client) -> None:
    people, now = guests(2), timezone.now()
    table = play(seated(people, now, "army-ants"), people, now, most=3)
    html = client.get("/").content.decode()
    assert f'data-watched="/live/tables/{table.key}?whole" data-after="{table.last_event}"' in html
    assert f'<a class="plate-board" href="/play/{table.key}/"><svg' in html
    assert "Being played now" in html


@pytest.mark.django_db
def test_a_game_for_those_with_the_link_is_not_shown_there(client: Client) -> None:
    people, now = guests(2), timezone.now()
    play(seated(people, now, "army-ants", visibility="link"), people, now, most=3)
    assert "Being played now" not in client.get("/").content.decode()


@pytest.mark.django_db
def test_a_game_that_has_not_moved_lately_is_not_shown_there(client: Client) -> None:
    people, now = guests(2), timezone.now() - timedelta(hours=1)
    play(seated(people, now, "army-ants"), people, now, most=3)
    assert "Being played now" not in client.get("/").content.decode()


def test_rejected_records_do_not_crowd_the_first_page(hand_in: HandIn, read: Read) -> None:
    hand_in(BROKEN)
    assert "No games yet." in read("/")


def test_it_asks_the_database_as_often_for_ten_games_as_for_one(
    hand_in: HandIn, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    queries = 9 + len(RULESETS)
    hand_in(*duels(1))
    with django_assert_num_queries(queries):
        client.get("/")
    hand_in(*duels(10))
    with django_assert_num_queries(queries):
        client.get("/")
