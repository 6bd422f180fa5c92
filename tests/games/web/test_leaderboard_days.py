"""Leaderboards of days and periods, later decisions, and how to verify them."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.ladders import snapshots
from games.ladders.snapshots import board_as_of
from games.models import Club, Ladder, Player
from games.web.rate_limits import BoardThrottle
from tests.games.evenings import annul, merge, play, season
from tests.games.web.conftest import Read, words_of

pytestmark = pytest.mark.django_db

BOARD = "/leaderboards/atta-ants-online/"
DAY = timedelta(days=1)


def test_past_day_is_shown_as_it_was(now: datetime, read: Read) -> None:
    play([(("Ada", "Bruno"), (1, 2))], now)
    play([(("Bruno", "Ada"), (1, 2))] * 3, now + DAY)

    then, later = read(f"{BOARD}?as_of=2026-03-14"), read(f"{BOARD}?as_of=2026-03-15")

    assert "State at the end of 2026-03-14 (UTC)." in then
    assert then.index("1 Ada 1 won") < then.index("2 Bruno 0 won, 0 drawn, 1 lost")
    assert "1 Bruno 3 won, 0 drawn, 1 lost" in later


def test_past_day_shows_how_to_verify_it(now: datetime, client: Client) -> None:
    play(season(9, ("Ada", "Bruno", "Cleo", "Dora")), now)

    html = client.get(f"{BOARD}?as_of=2026-03-14").content.decode()

    words = words_of(html)
    assert board_as_of(Ladder.objects.get(), now.date(), now=now).digest in words
    assert "Rated games 9 Players 4 Later decisions up to that day 0 Algorithm plackett-luce/1" in words
    assert "beta 200 Uncertainty added before each game tau 4 Rounding after each game 6 decimals" in words
    assert (
        'curl -o games.ndjson "http://testserver/api/v1/leaderboards/atta-ants-online/games?as_of=2026-03-14"' in words
    )
    assert (
        'python3 recompute.py games.ndjson --board "http://testserver/api/v1/leaderboards/atta-ants-online?as_of='
        in words
    )
    assert 'download="recompute.py"' in html


def test_annulments_are_listed_with_date_and_reason(now: datetime, read: Read) -> None:
    game, *_ = play(season(5, ("Ada", "Bruno", "Cleo")), now)
    annul(game, now + DAY, "The table was bumped.")
    merge("Cleo", "Ada", now + 2 * DAY)

    words = read(BOARD)

    assert f"2026-03-15 Annulment: game {game.key}, played on 2026-03-14" in words
    assert "The table was bumped." in words
    assert "2026-03-16 Merge: Cleo → Ada" in words
    assert "Later decisions up to that day 1" in read(f"{BOARD}?as_of=2026-03-15")
    assert "The table was bumped." not in read(f"{BOARD}?as_of=2026-03-14")


def test_rank_changes_since_a_day_are_shown(now: datetime, read: Read) -> None:
    play([(("Ada", "Bruno"), (1, 2))], now)
    play([(("Bruno", "Cleo", "Ada"), (1, 2, 3))] * 3, now + DAY)

    words = read(f"{BOARD}?since=2026-03-14")

    assert "Beside each rank: its change since the end of 2026-03-14 (UTC)." in words
    assert "1 +1 Bruno" in words
    assert "2 new Cleo" in words
    assert "3 −2 Ada" in words


def test_period_shows_rating_gains(now: datetime, read: Read) -> None:
    play([(("Ada", "Bruno"), (1, 2))] * 4, now)
    play([(("Bruno", "Cleo", "Ada"), (1, 2, 3))] * 3, now + 31 * DAY)

    words = read(f"{BOARD}?period=2026-04")

    assert "Largest gains in 2026-04: the rating at the end minus the rating at the beginning" in words
    assert "1 Cleo 0 won, 0 drawn, 3 lost" in words
    assert "+250 0 → 250" in words
    assert "−395 488 → 93" in words
    assert "Gains in 2026-04" in words
    assert "Previous period Next period" in words
    assert "No game was rated on this ladder in that period." in read(f"{BOARD}?period=2026-02")


def test_a_day_before_the_first_game_says_so(now: datetime, read: Read) -> None:
    play(season(3, ("Ada", "Bruno")), now)

    assert "No game had been rated on this ladder by that day." in read(f"{BOARD}?as_of=2026-01-01")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("as_of=2026-02-30", "“2026-02-30” is not a date. Write dates as 2026-11-01."),
        ("as_of=9999-12-31", "9999-12-31 is in the future"),
        ("period=spring", "“spring” is neither a month such as 2026-11 nor a year such as 2026."),
        ("around=99999", "Player 99999 is not on this leaderboard."),
        ("as_of=2026-03-14&after=x", "This page does not exist: the value of"),
        ("as_of=2026-03-14&around=99999", "Player 99999 is not on this leaderboard."),
    ],
)
def test_invalid_query_is_explained_with_a_link_back(now: datetime, read: Read, query: str, sentence: str) -> None:
    play(season(3, ("Ada", "Bruno")), now)

    words = read(f"{BOARD}?{query}", status=400)

    assert sentence in words
    assert "Current leaderboard" in words


def test_a_merged_player_is_found_on_days_before_and_after(now: datetime, client: Client) -> None:
    play([(("Ada", "Bruno"), (1, 2)), (("Cleo", "Bruno"), (2, 1))], now)
    merge("Cleo", "Ada", now + DAY)
    cleo = Player.objects.get(name="Cleo")

    for query, name in (("as_of=2026-03-14", "Cleo"), ("as_of=2026-03-15", "Ada"), ("", "Ada")):
        html = client.get(f"{BOARD}?{query}&around={cleo.pk}").content.decode()
        assert f"<bdi>{name}</bdi>" in html.partition('id="here"')[2].partition("</tr>")[0]


@pytest.mark.full
def test_past_day_is_shown_fifty_rows_per_page(now: datetime, client: Client) -> None:
    names = [f"Ant {n:03}" for n in range(250)]
    play([((one, other), (1, 2)) for one, other in zip(names[::2], names[1::2], strict=True)], now)

    pages = [client.get(f"{BOARD}?as_of=2026-03-14{mark}").content.decode() for mark in ("", "&after=50", "&before=51")]

    assert ["1 to 50 of 250" in page for page in pages] == [True, False, True]
    assert "51 to 100 of 250" in pages[1]
    assert 'href="?as_of=2026-03-14&amp;after=100" rel="next"' in pages[1]


def test_leaderboard_of_a_long_ledger_shows_a_waiting_page(
    now: datetime, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "AT_ONCE", 2)
    play(season(5, ("Ada", "Bruno", "Cleo")), now)

    answer = client.get(f"{BOARD}?as_of=2026-03-14")
    assert (answer.status_code, answer["Refresh"]) == (202, "5")
    assert "This leaderboard is being computed." in words_of(answer.content.decode())
    snapshots.make_waiting(now=now)

    assert client.get(f"{BOARD}?as_of=2026-03-14").status_code == 200


def test_club_ladder_shows_only_its_own_games(now: datetime, read: Read) -> None:
    club = Club.objects.create(slug="formica", name="Casa Formica", created_at=now)
    play([(("Ada", "Bruno"), (1, 2))], now, club=club)
    play([(("Cleo", "Dora"), (1, 2))], now)

    words = read("/clubs/formica/leaderboards/atta-ants-online/")

    assert "Casa Formica Ladder of a club: its organisers decide which games count" in words
    assert "Ada" in words
    assert "Cleo" not in words
    assert "Nobody is ranked yet. The ladder begins when an organiser" in read("/clubs/formica/leaderboards/army-ants/")
    assert "Page not found" in read("/clubs/nowhere/leaderboards/atta-ants-online/", status=404)


@pytest.mark.full
def test_stored_day_uses_a_constant_number_of_queries(
    now: datetime, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play(season(5, ("Ada", "Bruno", "Cleo")), now)
    play(season(20, [f"Ant {n}" for n in range(30)]), now + DAY)
    for query in ("as_of=2026-03-14", "as_of=2026-03-15"):
        client.get(f"{BOARD}?{query}")
        with django_assert_num_queries(6):
            client.get(f"{BOARD}?{query}")


def test_reader_is_asked_to_retry_when_too_many_leaderboards_wait(
    now: datetime, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "AT_ONCE", 0)
    monkeypatch.setattr(snapshots, "WAITING_MOST", 0)
    play([(("Ada", "Bruno"), (1, 2))], now)

    answer = client.get(f"{BOARD}?as_of=2026-03-14")

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Several leaderboards are being computed already." in answer.content.decode()


@pytest.mark.usefixtures("uncounted")
def test_throttled_reader_can_still_see_stored_leaderboards(
    now: datetime, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoardThrottle, "THROTTLE_RATES", {"board": "2/hour"})
    for n in range(3):
        play(season(3, ("Ada", "Bruno", "Cleo"), seed=n), now + n * DAY)

    asked = [client.get(f"{BOARD}?as_of=2026-03-{day}") for day in (14, 15, 16, 14)]

    assert [answer.status_code for answer in asked] == [200, 200, 429, 200]
    assert int(asked[2]["Retry-After"]) > 3500
    assert "You asked for too many leaderboards of past days. Try again in 60 minutes," in words_of(
        asked[2].content.decode()
    )
