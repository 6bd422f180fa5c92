"""An account's home: what waits, ratings, players followed, games."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.clubs import running
from games.models import Player, Upload
from games.players.claims import decide_claim, make_claim
from games.players.following import follow
from games.playing.opening import TableOptions, open_table
from games.playing.reads.people import Person
from games.web.ladders.small_chart import small_chart
from tests.factories import record
from tests.games.evenings import play, player
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]


def home_of(account: User, browse: Browse) -> str:
    return words_of(browse(account).get("/account/").content.decode())


@pytest.fixture
def ada(alice: User) -> Player:
    """Alice's player, with two rated games within the last thirty days."""
    today = timezone.now()
    play([(("Ada", "Bruno"), (1, 2))], today - timedelta(days=20))
    play([(("Ada", "Bruno", "Cleo"), (3, 1, 2))], today - timedelta(days=2))
    Player.objects.filter(name="Ada").update(account=alice)
    return Player.objects.get(name="Ada")


def test_home_shows_ratings_with_their_course_and_the_newest_games(ada: Player, alice: User, browse: Browse) -> None:
    html = browse(alice).get("/account/").content.decode()
    words = words_of(html)
    assert "Your ratings Atta Ants, online rules rank 3 Rating 19 ? ±" in words
    assert re.search(r"2 games Strength −\d+ in 30 days", words), "first against one, then last of three"
    assert html.count('class="small-chart"') == 1
    assert "Ada 3rd" in words.split("Your latest games")[-1]
    assert f'href="/games/?player=%23{ada.pk}"' in html


def test_an_empty_home_says_how_to_begin(mallory: User, browse: Browse) -> None:
    words = home_of(mallory, browse)
    assert "mallory Account since" in words
    assert "Nothing to do right now." in words
    assert "Follow players to see their newest rated games here. Find players" in words
    assert "A club has its own ladders, evenings and seasons. See the clubs" in words
    assert "Upload a game Find your name Watch a game" in words


def test_who_follows_nobody_is_offered_frequent_opponents(ada: Player, alice: User, browse: Browse) -> None:
    assert "newest rated games here. Bruno Cleo" in home_of(alice, browse)


def test_home_shows_what_followed_players_played_last(ada: Player, alice: User, browse: Browse, now: datetime) -> None:
    follow(player("Bruno", now), alice, now=now)
    assert "Players you follow Bruno 1st · Atta Ants, online rules" in home_of(alice, browse)


def test_home_lists_tables_where_it_is_ones_turn_or_one_is_invited(
    alice: User, bob: User, browse: Browse, now: datetime
) -> None:
    theirs = TableOptions(ruleset="army-ants", visibility="names", invited=[alice])
    open_table(theirs, Person(account=bob), now=now)
    assert "Your turn Army Ants You are invited" in home_of(alice, browse)
    assert "Nothing to do right now." in home_of(bob, browse)


def test_home_asks_who_one_is_in_the_newest_upload_until_it_is_said(alice: User, browse: Browse, now: datetime) -> None:
    upload = upload_file(record(), via=Upload.Via.WEB, now=now, filename="evening.agn", uploader=alice)
    judge_all(now)
    words = home_of(alice, browse)
    assert "Make it count Are you one of the players in your newest upload?" in words
    assert "Nothing to do right now." not in words
    browse(alice).post(f"/uploads/{upload.pk}/names/", {"me": ""})
    assert "Make it count" not in home_of(alice, browse)


@pytest.mark.full
def test_home_needs_as_many_statements_for_many_games_as_for_few(
    ada: Player, alice: User, browse: Browse, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = browse(alice)
    with django_assert_num_queries(35):
        client.get("/account/")
    play([(("Ada", f"Player {number}"), (1, 2)) for number in range(9)], timezone.now())
    with django_assert_num_queries(35):
        client.get("/account/")


def test_a_small_chart_is_level_until_the_next_game(now: datetime) -> None:
    since = now - timedelta(days=100)
    course = [(now - timedelta(days=50), 100), (now - timedelta(days=25), 50)]
    drawing = small_chart(course, 0, since, now)
    assert 'points="75,50 75,4 110.5,4 110.5,27 146,27"' in drawing


@pytest.mark.full
def test_an_account_without_games_is_asked_whether_it_is_the_player_of_its_name(alice: User, browse: Browse) -> None:
    asked = "Games were uploaded in which alice played. Is that you?"
    assert asked not in home_of(alice, browse)
    upload_file(record(names=("alice", "Bruno")), via=Upload.Via.WEB, now=timezone.now())
    judge_all(timezone.now())
    assert asked in home_of(alice, browse)
    assert Player.objects.get(name="alice").get_absolute_url() in browse(alice).get("/account/").content.decode()
    Player.objects.filter(name="alice").update(account=User.objects.create_user("carla"))
    assert asked not in home_of(alice, browse)


def test_an_account_that_was_refused_its_name_is_not_asked_for_it_again(
    alice: User, browse: Browse, now: datetime
) -> None:
    upload_file(record(names=("alice", "Bruno")), via=Upload.Via.WEB, now=now)
    judge_all(now)
    claim = make_claim(Player.objects.get(name="alice"), alice, now=now)
    decide_claim(claim, approve=False, by=None, answer="Another alice.", now=now)
    assert "Is that you?" not in home_of(alice, browse)


@pytest.mark.full
def test_my_home_says_when_a_club_meets_next(alice: User, browse: Browse) -> None:
    now = timezone.now()
    club = running.found(slug="nest", name="The Nest", meets="", main_ruleset="", by=alice, now=now)
    assert "The Nest next evening" not in home_of(alice, browse)
    for days in (9, 2):
        day = now.date() + timedelta(days=days)
        running.plan(club, day=day, begins=None, place="", by=alice, now=now)
    assert f"The Nest next evening {now.date() + timedelta(days=2)}" in home_of(alice, browse)


def test_an_account_whose_claim_waits_reads_when_its_games_are_listed(
    alice: User, browse: Browse, now: datetime
) -> None:
    upload_file(record(names=("alice", "Bruno")), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    claim = make_claim(Player.objects.get(name="alice"), alice, now=now)
    assert "Your claim to alice is approved on " in home_of(alice, browse)
    decide_claim(claim, approve=True, by=None, answer="I know her.", now=now)
    assert "Your claim to alice" not in home_of(alice, browse)
