"""Acceptance: a game that counts becomes due at once, and gets its number in the sequence in which games are rated.

When nothing is missing any more, a due row is written; a single sequencer then numbers many rows at a time. So
verification never waits for ratings. The page on which a game gets its last confirmation rates what is due on that
ladder, if that is quick and without waiting for anybody; the worker rates everything else.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import Any, NamedTuple

import structlog
from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from psycopg.errors import QueryCanceled

from engine.fold import rate_next
from engine.rating import Rating
from games.holds.flags import PASSING
from games.holds.reasons import hold_back
from games.models import Acceptance, Club, Flag, Game, Ladder, Upload
from games.platform.bulk_sql import columns
from games.ratings.best_ranks import note_rises
from games.ratings.ledger import Entered, enter
from games.ratings.sequence import Now, last_place, latest_moment, lock_order, moment_of
from games.ratings.standings import StandingChanges, standing_lines, update_standings

_log = structlog.get_logger()

BATCH = 2000
"""Games that get their places in one transaction."""
FEW = 20
"""Games of a ladder that are rated while somebody waits for a page: some 20 ms."""

_PLACE = """
UPDATE games_acceptance SET number = due.number, accepted_at = %s
FROM unnest(%s::bigint[], %s::bigint[]) AS due (id, number) WHERE games_acceptance.id = due.id
"""


_SEATS = """
SELECT seating.game_id, seating.player_id, coalesce(player.merged_into_id, player.id), seating.place
FROM games_seating AS seating JOIN games_player AS player ON player.id = seating.player_id
WHERE seating.game_id = ANY(%s) ORDER BY seating.game_id, seating.seat
"""
# Locked, so that none becomes private meanwhile; a transaction that hides one is waited for.
_HOLD_GAMES = """
SELECT DISTINCT ruleset FROM (
    SELECT ruleset, verdict FROM games_game WHERE id = ANY(ARRAY(
        SELECT game_id FROM games_movelog
        WHERE upload_id = %(upload)s AND number > %(after)s AND number <= %(upto)s))
    ORDER BY id OFFSET 0 FOR NO KEY UPDATE) AS held
WHERE verdict = 'verified' ORDER BY ruleset
"""
# In the order of the file; a game that occurs twice is due once. OFFSET 0 makes the database find games by their ids:
# without statistics it would read all verified games for each record.
_TAKEN = """(
    EXISTS (SELECT FROM games_acceptance AS placed
            WHERE placed.game_id = other.id AND placed.ladder_id = ladder.id AND placed.counts OFFSET 0)
    OR EXISTS (SELECT FROM games_movelog AS given
               WHERE given.game_id = other.id AND given.upload_id = log.upload_id AND given.number < log.number))"""
_MAKE_DUE = f"""
INSERT INTO games_acceptance (game_id, ladder_id, due_at, by_id, counts)
SELECT game.id, ladder.id, %(now)s, %(by)s, true
FROM games_movelog AS log
CROSS JOIN LATERAL (SELECT * FROM games_game WHERE id = log.game_id OFFSET 0) AS game
JOIN games_ladder AS ladder ON ladder.ruleset = game.ruleset AND ladder.club_id = %(club)s
WHERE log.upload_id = %(upload)s AND log.number > %(after)s AND log.number <= %(upto)s
  AND game.verdict = 'verified' AND game.scored AND NOT game.private
  -- Of games of the same moves that name others one counts on a ladder: that which came first. There are few of those
  -- whose seating does not apply on the site, and only they look for the one whose does.
  AND NOT EXISTS (SELECT FROM games_game AS other WHERE other.digest = game.digest AND NOT other.upheld
                  AND NOT other.private AND other.id <> game.id AND {_TAKEN})
  AND NOT (NOT game.upheld AND EXISTS (SELECT FROM games_game AS other WHERE other.digest = game.digest
                                       AND other.upheld AND NOT other.private AND {_TAKEN}))
ORDER BY log.number ON CONFLICT DO NOTHING
"""  # noqa: S608 (made of constants)
# A club's games keep their own pages, whatever seating applies on the site.
_LIST_AGAIN = """
UPDATE games_game AS game SET same_as_id = NULL
FROM games_movelog AS log
WHERE log.upload_id = %(upload)s AND log.number > %(after)s AND log.number <= %(upto)s AND game.id = log.game_id
  AND NOT game.upheld AND game.same_as_id IS NOT NULL
  -- OFFSET 0: looked up for each game, never made into a hash of the whole table.
  AND EXISTS (SELECT FROM games_acceptance AS placed JOIN games_ladder AS ladder ON ladder.id = placed.ladder_id
              WHERE placed.game_id = game.id AND ladder.club_id = %(club)s OFFSET 0)
"""


class Due(NamedTuple):
    """A game that is due, with the place that it gets."""

    number: int
    acceptance: int
    ladder: int
    game: int


Seats = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Who sat at a game, under whom they are rated, and what place they took, in seat order."""


def make_due(games: Iterable[Game], *, now: datetime, club: Club | None = None) -> None:
    """Record that games count from now on, in this order, on the site's ladders or a club's.

    A game that was due or accepted before stays as it was. The caller has checked that the games count.
    """
    games = list(games)
    ladders = {ruleset: _ladder(ruleset, club) for ruleset in sorted({game.ruleset for game in games})}
    Acceptance.objects.bulk_create(
        (Acceptance(game=game, ladder=ladders[game.ruleset], due_at=now) for game in games), ignore_conflicts=True
    )


def make_records_due(upload: Upload, club: Club, *, after: int, upto: int, now: datetime) -> None:
    """Do the same for a club with the games of an upload's records that count, in the order of the file.

    :param after: the number of the record before the first of them.
    :param upto: the number of the last.
    """
    asked: dict[str, Any] = {
        "upload": upload.pk, "club": club.pk, "by": upload.uploader_id, "after": after, "upto": upto, "now": now,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_HOLD_GAMES, asked)
        for (ruleset,) in cursor.fetchall():
            _ladder(ruleset, club)
        cursor.execute(_MAKE_DUE, asked)
        cursor.execute(_LIST_AGAIN, asked)


def places_of(game: Game) -> list[Acceptance]:
    """Return a game's numbers on all ladders; call it in a transaction that locks the game.

    This waits for a transaction that is giving it a number, and until the caller's transaction ends it gets no other,
    so that the answer stays true.
    """
    held = Acceptance.objects.select_for_update(no_key=True, of=("self",)).select_related("ladder").filter(game=game)
    return [acceptance for acceptance in held.order_by("pk") if acceptance.number is not None]


def keep_waiting(game: Game) -> None:
    """Let a game that is due for the whole site wait until it is settled who sat there."""
    _due_for_site(game).update(held=True)


def no_longer_due(game: Game) -> None:
    """Undo that a game counts for the site, as long as it has no number.

    Its flags stay, so that nobody gets rid of them by withdrawing a confirmation, except for those that are checked
    anew.
    """
    _due_for_site(game).delete()
    held = Flag.objects.filter(game=game, ladder__club=None, ladder__isnull=False, settled_at=None)
    held.filter(kind__in=PASSING).delete()


def _due_for_site(game: Game) -> "QuerySet[Acceptance]":
    """Lock what is due: another transaction may just have given it a number."""
    due = Acceptance.objects.filter(game=game, number=None, ladder__club=None)
    return Acceptance.objects.filter(pk__in=list(due.select_for_update(of=("self",)).values_list("pk", flat=True)))


def _ladder(ruleset: str, club: Club | None) -> Ladder:
    return Ladder.objects.get_or_create(ruleset=ruleset, club=club)[0]


@transaction.atomic
def accept_due(*, now: Now, wait: bool = True, watch: bool = True) -> int:
    """Give due games the next numbers and rate them, except those that are held back.

    :param wait: whether to wait for another transaction that rates; if not, that one or the sweep finds these games.
    :param watch: whether to look at who plays whom; not where games are made up to measure or test what follows.
    :returns: how many it looked at, at most `BATCH`.
    """
    if not lock_order(wait=wait):
        return 0
    due = _due(Acceptance.objects.filter(number=None, held=False).order_by("pk")[:BATCH], wait=wait)
    _accept_all(due, now, watch=watch)
    return len(due)


def accept_few(ladder: int, *, now: Now, within: float) -> int:
    """Do the same for all due games of a ladder if they are few; otherwise leave it to the worker.

    :param within: seconds after which it is given up: somebody waits for a page.
    """
    try:
        with transaction.atomic(), _limited_in_time(within):
            if not lock_order(wait=False):
                return 0
            # More than a few are left alone: a part of them might not include the game just confirmed.
            waiting = Acceptance.objects.filter(number=None, held=False, ladder=ladder).order_by("pk")
            due = _due(waiting[: FEW + 1], wait=False)
            if len(due) > FEW:
                return 0
            _accept_all(due, now)
            return len(due)
    except _TooLateError:
        return 0
    except OperationalError as error:
        # The confirmation is stored; a failure to rate, such as a deadlock, must not break this page.
        if not isinstance(error.__cause__, QueryCanceled):
            _log.warning("ratings.left_to_worker", error=str(error))
        return 0


class _TooLateError(Exception):
    """The time limit of a request is over."""


@contextmanager
def _limited_in_time(within: float) -> Iterator[None]:
    """Roll the whole transaction back if it takes longer in all. Each statement gets the time that is left."""
    until = monotonic() + within

    def in_time(
        execute: Callable[..., object], sql: str, params: object, many: object, context: dict[str, Any]
    ) -> object:
        left = int((until - monotonic()) * 1000)
        if left <= 0:
            raise _TooLateError
        context["cursor"].cursor.execute(f"SET LOCAL statement_timeout = {left}")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(in_time):
        yield
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout TO DEFAULT")


def _due(waiting: "QuerySet[Acceptance]", *, wait: bool) -> list[tuple[int, int, int]]:
    """Return acceptance, ladder and game of each due game that nothing holds back."""
    found = dict(waiting.values_list("pk", "game"))
    # Games are locked before their acceptances, as by those who change them: what is written raises their versions.
    games = Game.objects.filter(pk__in=set(found.values())).order_by("pk")
    held = set(games.select_for_update(skip_locked=not wait, no_key=True).values_list("pk", flat=True))
    # A locked row is about to be withdrawn.
    rows = Acceptance.objects.filter(number=None, held=False, pk__in=[pk for pk in found if found[pk] in held])
    locked = rows.order_by("pk").select_for_update(skip_locked=not wait)
    return list(locked.values_list("pk", "ladder", "game"))


def _accept_all(rows: list[tuple[int, int, int]], now: Now, *, watch: bool = True) -> None:
    if not rows:
        return
    at = latest_moment(now)
    held = hold_back(rows, at, now=moment_of(now), watch=watch)
    left = (row for row in rows if row[0] not in held)
    if due := [Due(number, *row) for number, row in enumerate(left, last_place() + 1)]:
        _number(due, at)
        _rate(due, at)


def _number(due: list[Due], now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_PLACE, [now, *columns([(one.acceptance, one.number) for one in due], 2)])


def _rate(due: list[Due], now: datetime) -> None:
    seats = _seats_of(due)
    was = standing_lines({(one.ladder, player) for one in due for player in seats[one.game][1]})
    changes, current = StandingChanges(), defaultdict[int, dict[int, Rating]](dict)
    for (ladder, player), stood in was.items():
        current[ladder][player] = stood.rating
    games = [_accept(one, seats[one.game], current[one.ladder], changes) for one in due]
    enter(games, at=now)
    ratings = {(ladder, player): new for ladder, all_ in current.items() for player, new in all_.items()}
    update_standings(changes, was, ratings, at=now)
    note_rises({line: ratings[line].value for line in changes.lines}, at=now)


def _accept(one: Due, seats: Seats, current: dict[int, Rating], changes: StandingChanges) -> Entered:
    """Rate a game; the ratings so far, by player, follow it."""
    seated, players, places = seats
    game = rate_next(current, one.number, seated, players, places)
    current.update(zip(players, game.after, strict=True))
    changes.add(one.ladder, None, game)
    return Entered(one.acceptance, one.ladder, one.game, None, game)


def _seats_of(due: list[Due]) -> dict[int, Seats]:
    with connection.cursor() as cursor:
        cursor.execute(_SEATS, [[one.game for one in due]])
        return {game: _columns(group) for game, group in groupby(cursor, itemgetter(0))}


def _columns(rows: Iterable[tuple[int, int, int, int]]) -> Seats:
    _, seated, players, places = zip(*rows, strict=True)
    return seated, players, places
