"""Ladders by day played: rated in the order of the days, and kept so when games, corrections and dates come later."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from threading import Event
from typing import Any

import pytest
from django.db import connection, transaction

from engine.fold import FRESH
from engine.rating import Rating, rate
from games.ladders import snapshots
from games.ladders.leaderboard import leaderboard
from games.ladders.reads.leaderboard_query import read
from games.models import By, Club, DayLedger, DayRating, Game, Ladder, LeaderboardSnapshot, RunningProcess
from games.platform.parameters import ParameterError
from games.ratings import by_day
from games.ratings.acceptance import accept_due, make_due
from games.ratings.by_day import hold, ladders_behind, refresh, refresh_behind, up_to_date
from games.records.facts import days_changed
from tests.games.evenings import RULESET, Played, annul, begin_at_table, game_of, merge, play

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-03-14T15:00:00+00:00")
SEATS: list[Played] = [
    (("Ada", "Bo"), (1, 2)),
    (("Bo", "Cy"), (1, 2)),
    (("Cy", "Ada"), (1, 2)),
    (("Ada", "Bo"), (2, 1)),
]


def played_on(game: Game, first: str | None, last: str | None = None) -> None:
    Game.objects.filter(pk=game.pk).update(
        played_from=first and date.fromisoformat(first), played_until=first and date.fromisoformat(last or first)
    )


def play_on(days: Sequence[str | None], *, club: Club | None = None, at: datetime = NOW) -> list[Game]:
    """Have games rated in this order that were played on some days."""
    games = play(SEATS[: len(days)], at, club=club)
    for game, day in zip(games, days, strict=True):
        played_on(game, day)
    return games


def ladder() -> Ladder:
    return Ladder.objects.get(club=None)


def order() -> list[tuple[int, str]]:
    """Return the numbers and days of the games in the ledger by day played."""
    refresh(ladder(), now=NOW)
    return [(row.number, row.day.isoformat()) for row in DayRating.objects.filter(seat=0).order_by("position")]


def folded(seats: Sequence[Played]) -> dict[str, Rating]:
    ratings: dict[str, Rating] = {}
    for names, places in seats:
        ratings.update(zip(names, rate([ratings.get(name, FRESH) for name in names], places), strict=True))
    return ratings


def board(**asked: str) -> dict[str, Rating]:
    found = leaderboard(RULESET, None, read(asked, NOW.date()), now=NOW)
    return {row.standing.player.name: Rating(row.standing.mu, row.standing.sigma) for row in found.part.rows}


def test_games_are_rated_in_the_order_of_days_and_on_a_day_in_that_of_acceptance() -> None:
    play_on(["2025-05-02", "2016-01-01", "2025-05-02", "2020-07-07"])
    assert order() == [(2, "2016-01-01"), (4, "2020-07-07"), (1, "2025-05-02"), (3, "2025-05-02")]
    assert board(by="played") == folded([SEATS[1], SEATS[3], SEATS[0], SEATS[2]])


def test_a_board_has_the_games_played_until_the_end_of_its_day() -> None:
    play_on(["2025-05-02", "2016-01-01", "2025-12-31", "2026-01-01"])
    assert board(by="played", as_of="2025-12-31") == folded([SEATS[1], SEATS[0], SEATS[2]])
    assert board(by="played", as_of="2016-01-01") == folded([SEATS[1]])
    assert board(by="played", as_of="2015-12-31") == {}
    assert board(as_of="2025-12-31") == {}
    assert set(board(by="played", period="2025")) == {"Ada", "Bo", "Cy"}
    assert set(board(by="played", period="2016-01")) == {"Bo", "Cy"}


def test_a_range_of_days_counts_at_its_end_and_unknown_years_are_left_out() -> None:
    games = play_on(["2025-05-02", "2025-07-01", None])
    played_on(games[1], "2025-01-01", "2025-12-31")
    assert order() == [(1, "2025-05-02"), (2, "2025-12-31")]
    found = leaderboard(RULESET, None, read({"by": "played"}, NOW.date()), now=NOW)
    assert found.by_day
    assert (found.by_day.games, found.by_day.undated, found.by_day.began_on) == (2, 1, date(2025, 5, 2))


def test_a_game_of_this_year_without_its_day_is_on_no_board_before_the_year_ends() -> None:
    played_on(play_on(["2026-02-01"])[0], "2026-01-01", "2026-12-31")
    assert order() == [(1, "2026-12-31")]
    assert board(by="played") == {}


def test_later_games_change_only_what_follows_them() -> None:
    play_on(["2020-01-01", "2022-01-01"])
    early, late = (board(by="played", as_of=f"{year}-12-31") for year in (2020, 2022))
    kept = set(LeaderboardSnapshot.objects.filter(by=By.PLAYED).values_list("upto", flat=True))
    (old,) = play([SEATS[2]], NOW)
    played_on(old, "2021-06-01")
    assert [number for number, _ in order()] == [1, 3, 2]
    assert set(LeaderboardSnapshot.objects.filter(by=By.PLAYED).values_list("upto", flat=True)) == {1}
    assert kept == {1, 2}
    assert board(by="played", as_of="2020-12-31") == early
    assert board(by="played", as_of="2022-12-31") == folded([SEATS[0], SEATS[2], SEATS[1]]) != late


def test_annulled_games_go_and_merged_players_are_one() -> None:
    games = play_on(["2020-01-01", "2019-01-01", "2021-01-01"])
    annul(games[1], NOW + timedelta(hours=1))
    assert board(by="played") == folded([SEATS[0], SEATS[2]])
    merge("Cy", "Bo", NOW + timedelta(hours=2))
    assert board(by="played") == folded([SEATS[0], (("Bo", "Ada"), (1, 2))])


def test_games_at_tables_have_the_day_of_the_clubs_time_zone() -> None:
    club = Club.objects.create(slug="nest", name="Nest", created_at=NOW, time_zone="America/New_York")
    night = datetime.fromisoformat("2026-01-01T02:00:00+00:00")
    game = game_of(SEATS[0], night)
    begin_at_table(game, night)
    make_due([game], now=NOW, club=club)
    make_due([game], now=NOW)
    while accept_due(now=NOW, watch=False):
        pass
    for one in Ladder.objects.all():
        refresh(one, now=NOW)
    days = {row.ladder.club_id: row.day.isoformat() for row in DayRating.objects.select_related("ladder")}
    assert days == {club.pk: "2025-12-31", None: "2026-01-01"}


def test_a_ledger_that_is_behind_is_computed_again_by_the_worker() -> None:
    play_on(["2020-01-01"])
    assert refresh_behind(now=lambda: NOW) == 1
    assert ladders_behind(NOW + timedelta(hours=1)) == []
    play([SEATS[1]], NOW)
    assert ladders_behind(NOW + timedelta(minutes=1)) == []
    assert ladders_behind(NOW + timedelta(hours=1)) == [ladder().pk]
    assert refresh_behind(now=lambda: NOW + timedelta(hours=1)) == 1
    assert DayLedger.objects.get().games == 2


def test_a_large_ladder_is_shown_as_it_was_last_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.ratings.by_day.AT_ONCE", 0)
    play_on(["2020-01-01"])
    assert up_to_date(ladder(), now=NOW) is None
    refresh(ladder(), now=NOW)
    play([SEATS[1]], NOW)
    ledger = up_to_date(ladder(), now=NOW)
    assert ledger
    assert ledger.games == 1


def at_the_same_time(other: ThreadPoolExecutor, act: Callable[[], Any]) -> "Future[Any]":
    """Do something in a thread with a connection of its own."""

    def done() -> object:
        try:
            return act()
        finally:
            connection.close()

    return other.submit(done)


@contextmanager
def held(one: Ladder) -> Iterator[None]:
    """Have another process hold a ladder's ledger."""
    begun, over = Event(), Event()

    def wait() -> None:
        with transaction.atomic():
            hold(one)
            begun.set()
            assert over.wait(30)

    with ThreadPoolExecutor(1) as other:
        waiting = at_the_same_time(other, wait)
        try:
            assert begun.wait(30)
            yield
        finally:
            over.set()
            waiting.result(30)


@pytest.mark.django_db(transaction=True)
def test_dates_can_change_while_a_ledger_is_computed_and_stay_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    (game,) = play_on(["2020-01-01"])
    counts_of, noted = by_day.counts_of, list[bool]()

    def with_a_change(params: dict[str, Any]) -> dict[str, Any]:
        with ThreadPoolExecutor(1) as other:
            at_the_same_time(other, lambda: days_changed(game.pk)).result(30)
        noted.append(True)
        return counts_of(params)

    monkeypatch.setattr(by_day, "counts_of", with_a_change)
    assert refresh(ladder(), now=NOW).stale
    monkeypatch.setattr(by_day, "counts_of", counts_of)
    assert noted
    assert not refresh(ladder(), now=NOW).stale


@pytest.mark.django_db(transaction=True)
def test_a_date_that_is_being_changed_when_a_ledger_is_done_stays_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    (game,) = play_on(["2020-01-01"])
    refresh(ladder(), now=NOW)
    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            days_changed(game.pk)
            done = at_the_same_time(other, lambda: refresh(ladder(), now=NOW))
            with pytest.raises(TimeoutError):
                done.result(0.5)
        assert done.result(30).stale


@pytest.mark.django_db(transaction=True)
def test_the_worker_does_not_wait_for_a_ledger_that_another_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    play_on(["2020-01-01"])
    refresh(ladder(), now=NOW)
    monkeypatch.setattr(snapshots, "AT_ONCE", 0)
    assert snapshots.board_as_of(ladder(), NOW.date(), By.PLAYED, now=NOW).made_at is None
    assert snapshots.board_as_of(ladder(), NOW.date(), now=NOW).made_at is None
    DayLedger.objects.update(stale=True)
    with held(ladder()):
        assert refresh_behind(now=lambda: NOW + timedelta(hours=1)) == 0
        assert snapshots.make_waiting(now=NOW) == 1
    assert refresh_behind(now=lambda: NOW + timedelta(hours=1)) == 1
    assert snapshots.make_waiting(now=NOW) == 1


@pytest.mark.django_db(transaction=True)
def test_a_board_is_made_though_its_ledger_is_computed_at_that_moment() -> None:
    play_on(["2020-01-01"])
    refresh(ladder(), now=NOW)
    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            hold(ladder())
            board = at_the_same_time(other, lambda: snapshots.board_as_of(ladder(), NOW.date(), By.PLAYED, now=NOW))
            with pytest.raises(TimeoutError):
                board.result(0.5)
            assert not LeaderboardSnapshot.objects.exists()
            LeaderboardSnapshot.objects.filter(by=By.PLAYED, upto__gte=1).delete()
        assert board.result(30).players == 2


def test_one_ledger_that_fails_does_not_keep_others_from_being_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    play_on(["2020-01-01"])
    play_on(["2021-01-01"], club=Club.objects.create(slug="nest", name="Nest", created_at=NOW))
    first, *_ = Ladder.objects.order_by("games", "pk")
    compute = by_day._compute

    def fails_first(one: Ladder, now: datetime) -> DayLedger:
        if one == first:
            raise ArithmeticError
        return compute(one, now)

    monkeypatch.setattr(by_day, "_compute", fails_first)
    assert refresh_behind(now=lambda: NOW) == 1
    assert DayLedger.objects.filter(made_at=None).get().ladder == first


def test_a_ledger_says_when_it_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    play_on(["2020-01-01"])
    clock = iter([100.0, 130.0])
    monkeypatch.setattr(by_day, "monotonic", lambda: next(clock))
    assert refresh(ladder(), now=NOW).made_at == NOW + timedelta(seconds=30)


def test_older_workers_are_not_asked_for_boards_by_day_played(monkeypatch: pytest.MonkeyPatch) -> None:
    play_on(["2020-01-01"])
    monkeypatch.setattr(snapshots, "AT_ONCE", 0)
    now = datetime.now(UTC)
    said = {"number": 1, "version": "", "started_at": now, "seen_at": now}
    RunningProcess.objects.create(kind="worker", host="old", migration=93, **said)
    with pytest.raises(snapshots.BusyError, match="Ratings by day played are being computed"):
        snapshots.board_as_of(ladder(), NOW.date(), By.PLAYED, now=NOW)
    assert snapshots.board_as_of(ladder(), NOW.date(), now=NOW).made_at is None
    RunningProcess.objects.update(migration=94)
    assert snapshots.board_as_of(ladder(), NOW.date(), By.PLAYED, now=NOW).made_at is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"by": "day"}, "There is no order “day”: use accepted or played."),
        ({"by": "played", "active": "30"}, "“by” and “active” cannot be combined."),
        ({"by": "played", "as_of": "1899-12-31"}, "1899-12-31 is too early: the first ratings are from 1900."),
        ({"as_of": "1999-12-31"}, "1999-12-31 is too early: the first ratings are from 2000."),
    ],
    ids=["neither", "active", "too early", "too early by acceptance"],
)
def test_queries_that_cannot_be_answered_are_refused(asked: dict[str, str], said: str) -> None:
    with pytest.raises(ParameterError) as error:
        read(asked, NOW.date())
    assert str(error.value.sentence) == said
