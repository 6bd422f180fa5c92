"""Leaderboard snapshots: the state of the ledger on a day, computed once and stored."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from threading import Event

import pytest
from django.db import connection, transaction
from django.utils import timezone

from engine.rating import shown
from games.corrections.rerating import Instruction, order_annulment, perform
from games.ladders import snapshots
from games.ladders.reads.leaderboard_query import LeaderboardQuery, Period, read
from games.ladders.snapshots import board_as_of, board_of, forget_unasked, make_waiting
from games.models import Ladder, LeaderboardSnapshot, Player, RatingEvent, Standing
from games.platform.parameters import ParameterError
from tests.games.evenings import annul, merge, play, season

pytestmark = pytest.mark.django_db

NAMES = ("Ada", "Bruno", "Cleo", "Dora", "Emil", "Fay")
DAY = timedelta(days=1)


def ladder() -> Ladder:
    return Ladder.objects.get()


def lines_of(board: LeaderboardSnapshot) -> list[tuple[object, ...]]:
    """Return the rows of a snapshot."""
    names = ("rank", "player__name", "mu", "sigma", "games", "wins", "draws", "losses")
    more = ("first", "second", "third", "fourth", "beaten")
    return list(board.lines.order_by("line").values_list(*names, *more))


def current_rows() -> list[tuple[object, ...]]:
    """Return the current rows of the ladder."""
    return [
        (
            1 + sum(other.value > line.value for other in Standing.objects.all()),
            line.player.name, line.mu, line.sigma, line.games, line.wins, line.draws, line.losses,
            line.first, line.second, line.third, line.fourth, line.beaten,
        )
        for line in Standing.objects.order_by("-value", "player").select_related("player")
    ]  # fmt: skip


def test_leaderboard_of_today_equals_the_ladder(now: datetime) -> None:
    games = play(season(60, NAMES), now)
    annul(games[20], now)
    merge("Fay", "Ada", now)

    board = board_as_of(ladder(), now.date(), now=now)

    assert lines_of(board) == current_rows()
    assert (board.players, board.games) == (ladder().players, ladder().games)


@pytest.mark.full
def test_leaderboard_of_a_past_day_never_changes(now: datetime) -> None:
    games = play(season(40, NAMES), now)
    before = current_rows()

    tomorrow = now + DAY
    play(season(20, NAMES, seed=2), tomorrow)
    annul(games[3], tomorrow)
    merge("Fay", "Ada", tomorrow)

    assert lines_of(board_as_of(ladder(), now.date(), now=tomorrow)) == before
    assert lines_of(board_as_of(ladder(), tomorrow.date(), now=tomorrow)) == current_rows() != before


def test_annulment_affects_leaderboards_from_its_day_on(now: datetime) -> None:
    game, _ = play([(("Ada", "Bruno"), (1, 2)), (("Ada", "Cleo"), (1, 2))], now)
    annul(game, now + DAY)

    then = board_as_of(ladder(), now.date(), now=now + DAY)
    later = board_as_of(ladder(), (now + DAY).date(), now=now + DAY)

    assert (then.games, then.players) == (2, 3)
    assert (later.games, [line[1] for line in lines_of(later)]) == (1, ["Ada", "Cleo"])


def test_days_on_which_nothing_happened_share_a_board(now: datetime) -> None:
    play(season(5, NAMES), now)

    days = [board_as_of(ladder(), now.date() + n * DAY, now=now + 9 * DAY) for n in range(5)]

    assert len({board.pk for board in days}) == 1


def test_existing_snapshot_is_not_computed_again(now: datetime) -> None:
    play(season(5, NAMES), now)
    board = board_as_of(ladder(), now.date(), now=now + DAY)
    LeaderboardSnapshot.objects.update(digest="ab" * 32)

    assert board_as_of(ladder(), now.date(), now=now + 2 * DAY).digest == "ab" * 32
    assert board_as_of(ladder(), now.date(), now=now + 2 * DAY).pk == board.pk


def test_late_entry_creates_another_snapshot(now: datetime) -> None:
    play(season(5, NAMES), now)
    first = board_as_of(ladder(), now.date(), now=now)
    play(season(1, NAMES), now)

    second = board_as_of(ladder(), now.date(), now=now)

    assert (first.games, second.games) == (5, 6)
    assert first.digest != second.digest


def test_digest_covers_the_documented_lines(now: datetime) -> None:
    games = play([(("Ada", "Bruno"), (1, 2)), (("Ada", "Bruno", "Cleo"), (2, 1, 2)), (("Ada", "Cleo"), (1, 2))], now)
    annul(games[2], now)
    ada, bruno, cleo = (Player.objects.get(name=name).pk for name in NAMES[:3])
    at = "2026-03-14T15:09:26.000000Z"

    lines = f"1 {games[0].digest} {at} {ada}:1 {bruno}:2\n2 {games[1].digest} {at} {ada}:2 {bruno}:1 {cleo}:2\n"

    assert board_as_of(ladder(), now.date(), now=now).digest == sha256(lines.encode()).hexdigest()


def test_leaderboard_before_the_first_game_is_empty(now: datetime) -> None:
    play(season(5, NAMES), now)

    board = board_as_of(ladder(), now.date() - DAY, now=now)

    assert (board.players, board.games, board.digest) == (0, 0, sha256().hexdigest())


def test_period_leaderboard_is_ordered_by_gain(now: datetime) -> None:
    play(season(30, NAMES[:5]), now)
    begun = {line.player.name: shown(line.value) for line in Standing.objects.select_related("player")}
    april = now + 31 * DAY
    play(season(12, NAMES, seed=3), april)

    board = board_of(ladder(), Period(2026, 4), now=april + 60 * DAY)

    lines = list(board.lines.select_related("player").order_by("line"))
    gains = {line.player.name: line.gain for line in lines}
    assert list(gains.values()) == sorted(gains.values(), reverse=True)
    assert gains == {line.player.name: shown(line.value) - begun.get(line.player.name, 0) for line in lines}
    assert board.games == 12
    assert sum(line.games for line in lines) == RatingEvent.objects.filter(number__gt=30).count()


def test_period_leaderboard_omits_players_who_played_only_before(now: datetime) -> None:
    play([(("Ada", "Bruno"), (1, 2))], now)
    play([(("Cleo", "Dora"), (1, 2))], now + 31 * DAY)

    board = board_of(ladder(), Period(2026, 4), now=now + 90 * DAY)

    assert [line[1] for line in lines_of(board)] == ["Cleo", "Dora"]
    assert [line.begun for line in board.lines.all()] == [0, 0]


def test_leaderboard_of_a_long_ledger_is_computed_by_the_worker(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "AT_ONCE", 3)
    play(season(5, NAMES), now)

    board = board_as_of(ladder(), now.date(), now=now + DAY)
    assert board.made_at is None
    assert make_waiting(now=now) == 1

    assert lines_of(board_as_of(ladder(), now.date(), now=now + DAY)) == current_rows()
    assert make_waiting(now=now) == 0


def test_leaderboard_of_today_on_a_long_ledger_is_recomputed_at_most_hourly(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "AT_ONCE", 3)
    play(season(5, NAMES), now)
    first = board_as_of(ladder(), now.date(), now=now)
    make_waiting(now=now)
    play(season(1, NAMES), now)

    assert board_as_of(ladder(), now.date(), now=now + timedelta(minutes=59)).pk == first.pk
    assert board_as_of(ladder(), now.date(), now=now + timedelta(minutes=61)).pk != first.pk
    assert board_as_of(ladder(), now.date(), now=now + DAY).pk != first.pk


def test_number_of_waiting_leaderboards_is_limited(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "AT_ONCE", 3)
    for n in range(6):
        play(season(2, NAMES, seed=n), now + n * DAY)

    for n in range(snapshots.WAITING_MOST):
        board_as_of(ladder(), now.date() + n * DAY, now=now + 9 * DAY)
    with pytest.raises(snapshots.BusyError, match="Several leaderboards are being computed already"):
        board_as_of(ladder(), now.date() + 5 * DAY, now=now + 9 * DAY)


@pytest.mark.full
def test_least_recently_used_snapshots_are_deleted(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(3):
        play(season(9, NAMES, seed=n), now + n * DAY)
        board_as_of(ladder(), now.date() + n * DAY, now=now + n * DAY)
    board_as_of(ladder(), now.date(), now=now + 9 * DAY)  # requested again
    monkeypatch.setattr(snapshots, "LINES_MOST", 12)

    assert forget_unasked() == 1

    assert [board.asked_at for board in LeaderboardSnapshot.objects.order_by("pk")] == [now + 9 * DAY, now + 2 * DAY]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"as_of": "yesterday"}, "“yesterday” is not a date. Write dates as 2026-11-01."),
        ({"as_of": "2026-02-30"}, "“2026-02-30” is not a date. Write dates as 2026-11-01."),
        ({"as_of": "20260301"}, "“20260301” is not a date. Write dates as 2026-11-01."),
        ({"as_of": "2026-03-15"}, "2026-03-15 is in the future: today is 2026-03-14 (UTC)."),
        ({"since": "2027-01-01"}, "2027-01-01 is in the future: today is 2026-03-14 (UTC)."),
        ({"period": "2026-13"}, "“2026-13” is neither a month such as 2026-11 nor a year such as 2026."),
        ({"period": "9999-12"}, "9999-12 is in the future: today is 2026-03-14 (UTC)."),
        ({"active": "0"}, "“0” is not a number from 1 to 3650."),
        ({"active": "²"}, "“²” is not a number from 1 to 3650."),
        ({"around": "Ada"}, "“Ada” is not a number from 1 to 1000000000000000000."),
        ({"as_of": "2026-03-01", "period": "2026"}, "“period” and “as_of” cannot be combined."),
        ({"active": "365", "as_of": "2026-03-01"}, "“as_of” and “active” cannot be combined."),
    ],
)
def test_invalid_leaderboard_query_is_explained(now: datetime, query: dict[str, str], sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        read(query, now.date())

    assert str(refused.value) == sentence


def test_empty_form_fields_are_ignored(now: datetime) -> None:
    assert read({"as_of": "", "since": "", "around": ""}, now.date()) == LeaderboardQuery()


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        (Period(2026, 2), date(2026, 2, 1), date(2026, 2, 28)),
        (Period(2028, 2), date(2028, 2, 1), date(2028, 2, 29)),
        (Period(2026, 12), date(2026, 12, 1), date(2026, 12, 31)),
        (Period(2026, None), date(2026, 1, 1), date(2026, 12, 31)),
    ],
)
def test_period_has_a_first_and_a_last_day(period: Period, first: date, last: date) -> None:
    assert (period.first, period.last) == (first, last)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_leaderboard_of_a_past_day_waits_for_its_last_transaction(now: datetime) -> None:
    """A correction starts before midnight and becomes visible after it: it belongs to the day it started."""
    began = timezone.now()
    game, *_ = play(season(30, NAMES), began - DAY)
    annulled = order_annulment(game.acceptances.get(), Instruction(None, "No.", began))
    day, after_midnight = began.date(), datetime.combine(began.date() + DAY, time(0, 1), UTC)
    under_way, looked = Event(), Event()

    def correction() -> None:
        try:
            with transaction.atomic():
                assert perform(annulled, now=began)
                under_way.set()
                assert looked.wait(30)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        done = other.submit(correction)
        assert under_way.wait(30)
        with pytest.raises(snapshots.BusyError, match="The last games of that day are still being stored"):
            board_as_of(ladder(), day, now=after_midnight)
        yesterday = lines_of(board_as_of(ladder(), day - DAY, now=after_midnight))
        looked.set()
        done.result()

    assert lines_of(board_as_of(ladder(), day, now=after_midnight)) == current_rows() != yesterday


def test_correction_is_dated_when_it_gets_the_ledger_lock(now: datetime) -> None:
    first, *_ = play(season(3, NAMES), now)
    correction = order_annulment(first.acceptances.get(), Instruction(None, "No.", now))
    clock = iter([now + DAY])

    assert perform(correction, now=lambda: next(clock))

    correction.refresh_from_db()
    assert correction.done_at == now + DAY
    assert set(correction.events.values_list("at", flat=True)) == {now + DAY}


def test_every_transaction_has_a_distinct_timestamp(now: datetime) -> None:
    games = play(season(3, NAMES), now)
    play(season(2, NAMES), now - DAY)
    annul(games[0], now)

    moments = RatingEvent.objects.order_by("id").values_list("at", flat=True)

    assert list(dict.fromkeys(moments)) == [now + n * timedelta(microseconds=1) for n in range(3)]
