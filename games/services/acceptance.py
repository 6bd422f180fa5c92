"""Acceptance: a game that counts is due at once, and gets its place in the one order in which games are rated.

Whoever finds that nothing is missing any more writes a row that is due; a sequencer gives the places, many at a time
and alone. So neither a page nor a verification ever waits for ratings.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import connection, transaction

from engine.fold import rate_next
from engine.rating import Rating
from games.models import Acceptance, Game, Ladder, League, Upload
from games.services.columns import columns
from games.services.ledger import Entered, enter
from games.services.order import Now, last_place, latest_moment, lock_order
from games.services.standings import Tally, standing_lines, update_standings

BATCH = 2000
"""Games that get their places in one transaction."""

_PLACE = """
UPDATE games_acceptance SET number = due.number, accepted_at = %s
FROM unnest(%s::bigint[], %s::bigint[]) AS due (id, number) WHERE games_acceptance.id = due.id
"""


_SEATS = """
SELECT seating.game_id, seating.player_id, coalesce(player.merged_into_id, player.id), seating.place
FROM games_seating AS seating JOIN games_player AS player ON player.id = seating.player_id
WHERE seating.game_id = ANY(%s) ORDER BY seating.game_id, seating.seat
"""
# Held, so that none is hidden meanwhile; whoever is hiding one is waited for.
_HOLD_GAMES = """
SELECT DISTINCT ruleset FROM (
    SELECT ruleset, verdict FROM games_game WHERE id = ANY(ARRAY(
        SELECT game_id FROM games_movelog
        WHERE upload_id = %(upload)s AND number > %(after)s AND number <= %(upto)s))
    ORDER BY id OFFSET 0 FOR NO KEY UPDATE) AS held
WHERE verdict = 'verified' ORDER BY ruleset
"""
# In the order of the file; a game that is told twice is due once. Games are found by their numbers, which OFFSET 0 sees
# to: as long as the database has not counted them, it would read all that are verified for each record.
_MAKE_DUE = """
INSERT INTO games_acceptance (game_id, ladder_id, due_at, by_id, counts)
SELECT game.id, ladder.id, %(now)s, %(by)s, true
FROM games_movelog AS log
CROSS JOIN LATERAL (SELECT * FROM games_game WHERE id = log.game_id OFFSET 0) AS game
JOIN games_ladder AS ladder ON ladder.ruleset = game.ruleset AND ladder.league_id = %(league)s
WHERE log.upload_id = %(upload)s AND log.number > %(after)s AND log.number <= %(upto)s
  AND game.verdict = 'verified' AND game.scored AND NOT game.private
ORDER BY log.number ON CONFLICT DO NOTHING
"""


class Due(NamedTuple):
    """A game that is due, with the place that it gets."""

    number: int
    acceptance: int
    ladder: int
    game: int


Seats = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Who sat at a game, under whom he is rated, and what place he took, in seat order."""


def make_due(games: Iterable[Game], *, now: datetime, league: League | None = None) -> None:
    """Writes down that games count from now on, in this order: on the whole site's ladders, or on a league's.

    A game that was due, or accepted, before stays what it was. Who calls this has seen that the games count.
    """
    games = list(games)
    ladders = {ruleset: _ladder(ruleset, league) for ruleset in sorted({game.ruleset for game in games})}
    Acceptance.objects.bulk_create(
        (Acceptance(game=game, ladder=ladders[game.ruleset], due_at=now) for game in games), ignore_conflicts=True
    )


def make_records_due(upload: Upload, league: League, *, after: int, upto: int, now: datetime) -> None:
    """The same for a league with the games of some records of an upload that count, in the order of the file.

    :param after: the number of the record before the first of them.
    :param upto: the number of the last.
    """
    asked: dict[str, Any] = {
        "upload": upload.pk, "league": league.pk, "by": upload.uploader_id, "after": after, "upto": upto, "now": now,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_HOLD_GAMES, asked)
        for (ruleset,) in cursor.fetchall():
            _ladder(ruleset, league)
        cursor.execute(_MAKE_DUE, asked)


def places_of(game: Game) -> list[Acceptance]:
    """The places that a game has got, on whatever ladder; within a transaction that holds the game.

    Whoever is about to give it one is waited for, and until the transaction ends it gets no other: what is done because
    it has none is not overtaken.
    """
    held = Acceptance.objects.select_for_update(no_key=True, of=("self",)).select_related("ladder").filter(game=game)
    return [acceptance for acceptance in held.order_by("pk") if acceptance.number is not None]


def no_longer_due(game: Game) -> None:
    """Takes back that a game counts for the whole site, as long as it has no place."""
    due = Acceptance.objects.filter(game=game, number=None, ladder__league=None)
    # Held before they go: whoever gives places at this moment may have given this one.
    held = due.select_for_update(of=("self",)).values_list("pk", flat=True)
    Acceptance.objects.filter(pk__in=list(held)).delete()


def _ladder(ruleset: str, league: League | None) -> Ladder:
    return Ladder.objects.get_or_create(ruleset=ruleset, league=league)[0]


@transaction.atomic
def accept_due(*, now: Now, wait: bool = True) -> int:
    """Gives games that are due the next places in the order, and rates them.

    :param wait: whether to wait for whoever is at it; if not, he finds these games, or the sweep does.
    :returns: how many it accepted, at most `BATCH`.
    """
    if not lock_order(wait=wait):
        return 0
    due = _due(wait=wait)
    if due:
        at = latest_moment(now)
        _number(due, at)
        _rate(due, at)
    return len(due)


def _due(*, wait: bool) -> list[Due]:
    # A row that is held is about to be taken back.
    held = Acceptance.objects.select_for_update(skip_locked=not wait).filter(number=None).order_by("pk")[:BATCH]
    rows = held.values_list("pk", "ladder", "game")
    return [Due(number, *row) for number, row in enumerate(rows, last_place() + 1)]


def _number(due: list[Due], now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_PLACE, [now, *columns([(one.acceptance, one.number) for one in due], 2)])


def _rate(due: list[Due], now: datetime) -> None:
    seats = _seats_of(due)
    was = standing_lines({(one.ladder, player) for one in due for player in seats[one.game][1]})
    tally, current = Tally(), defaultdict[int, dict[int, Rating]](dict)
    for (ladder, player), stood in was.items():
        current[ladder][player] = stood.rating
    games = [_accept(one, seats[one.game], current[one.ladder], tally) for one in due]
    enter(games, at=now)
    ratings = {(ladder, player): new for ladder, all_ in current.items() for player, new in all_.items()}
    update_standings(tally, was, ratings, at=now)


def _accept(one: Due, seats: Seats, current: dict[int, Rating], tally: Tally) -> Entered:
    """Rates a game; the ratings so far, by player, follow it."""
    seated, players, places = seats
    game = rate_next(current, one.number, seated, players, places)
    current.update(zip(players, game.after, strict=True))
    tally.add(one.ladder, None, game)
    return Entered(one.acceptance, one.ladder, one.game, None, game)


def _seats_of(due: list[Due]) -> dict[int, Seats]:
    with connection.cursor() as cursor:
        cursor.execute(_SEATS, [[one.game for one in due]])
        return {game: _columns(group) for game, group in groupby(cursor, itemgetter(0))}


def _columns(rows: Iterable[tuple[int, int, int, int]]) -> Seats:
    _, seated, players, places = zip(*rows, strict=True)
    return seated, players, places
