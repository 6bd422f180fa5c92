"""Standings: tables computed from the ledger, updated in the same transaction."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from math import floor
from operator import add, sub
from typing import NamedTuple

from django.db import connection

from engine.fold import FRESH, Rated
from engine.rating import Rating, beaten
from games.platform.bulk_sql import columns
from games.ratings.reads.ledger import newest_games

COUNTED = ("games", "wins", "draws", "losses", "first", "second", "third", "fourth", "beaten")
"""What is counted for a line of a ladder."""

Line = tuple[int, int]
"""A line of a ladder: the ladder's number and the player's."""

_ZERO = [0] * len(COUNTED)

_LINES = """
SELECT ladder_id, player_id, mu, sigma, games FROM games_standing
JOIN unnest(%s::bigint[], %s::bigint[]) AS line (ladder_id, player_id) USING (ladder_id, player_id)
"""

_MOVE_LINES = f"""
MERGE INTO games_standing AS line
USING (SELECT * FROM unnest({", ".join(["%s::bigint[]"] * 2 + ["%s::int[]"] * len(COUNTED))},
                            %s::float8[], %s::float8[], %s::bigint[], %s::timestamptz[]))
    AS more (ladder_id, player_id, {", ".join(COUNTED)}, mu, sigma, last_number, last_at)
ON line.ladder_id = more.ladder_id AND line.player_id = more.player_id
WHEN MATCHED AND line.games + more.games = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET
    {", ".join(f"{name} = line.{name} + more.{name}" for name in COUNTED)}, mu = more.mu, sigma = more.sigma,
    last_number = coalesce(more.last_number, line.last_number), last_at = coalesce(more.last_at, line.last_at)
WHEN NOT MATCHED AND more.games > 0 THEN
    INSERT (ladder_id, player_id, {", ".join(COUNTED)}, mu, sigma, last_number, last_at)
    VALUES (more.ladder_id, more.player_id, {", ".join(f"more.{name}" for name in COUNTED)},
            more.mu, more.sigma, more.last_number, more.last_at)
"""  # noqa: S608 (our own column names)

_MOVE_BUCKETS = """
MERGE INTO games_rankbucket AS bucket
USING (SELECT * FROM unnest(%s::bigint[], %s::int[], %s::int[])) AS more (ladder_id, points, players)
ON bucket.ladder_id = more.ladder_id AND bucket.points = more.points
WHEN MATCHED AND bucket.players + more.players = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET players = bucket.players + more.players
WHEN NOT MATCHED THEN INSERT (ladder_id, points, players) VALUES (more.ladder_id, more.points, more.players)
"""

_COUNT_LADDERS = """
UPDATE games_ladder AS ladder SET players = ladder.players + more.players, games = ladder.games + more.games
FROM unnest(%s::bigint[], %s::int[], %s::int[]) AS more (id, players, games) WHERE ladder.id = more.id
"""


@cache
def counted(places: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return what a game adds to each seat's row: a win is first place alone, a draw is a shared one."""
    alone = places.count(1) == 1
    return tuple(
        (*map(int, (True, place == 1 and alone, place == 1 and not alone, place > 1, *_taken(place))), share)
        for place, share in zip(places, beaten(places), strict=True)
    )


def _taken(place: int) -> list[bool]:
    return [place == one for one in (1, 2, 3, 4)]


@dataclass(slots=True)
class StandingChanges:
    """What games add to the ladders, or remove from them."""

    lines: dict[Line, list[int]] = field(default_factory=dict)
    """By `COUNTED`."""
    games: Counter[int] = field(default_factory=Counter)
    """By ladder: games that count."""
    newest: dict[Line, int] = field(default_factory=dict)
    """The places of games that came last, in the order of `add`."""
    shaken: set[Line] = field(default_factory=set)
    """Lines that lost or gained a game of the past: their newest may be another now."""

    def add(self, ladder: int, old: Rated | None, new: Rated) -> None:
        """Subtract a game as it was in the ledger, if it was there, and add it as it is now."""
        if old is None:
            self._count(ladder, new, 1)
            self.newest |= dict.fromkeys(self._lines(ladder, new), new.number)
        elif old.players != new.players or old.counts != new.counts:
            self._count(ladder, old, -1)
            self._count(ladder, new, 1)
            self.shaken.update(self._lines(ladder, old), self._lines(ladder, new))

    def _count(self, ladder: int, game: Rated, sign: int) -> None:
        if game.counts:
            self.games[ladder] += sign
            changed = add if sign > 0 else sub
            for player, counts in zip(game.players, counted(game.places), strict=True):
                so_far = self.lines.get((ladder, player), _ZERO)
                self.lines[ladder, player] = list(map(changed, so_far, counts))

    def _lines(self, ladder: int, game: Rated) -> list[Line]:
        return [(ladder, player) for player in game.players] if game.counts else []


class LineValues(NamedTuple):
    """The counts and the rating of a line."""

    rating: Rating
    games: int


_NOTHING = LineValues(FRESH, 0)


def standing_lines(lines: Iterable[Line]) -> dict[Line, LineValues]:
    """Return those of the rows that exist."""
    with connection.cursor() as cursor:
        cursor.execute(_LINES, columns(list(lines), 2))
        return {
            (ladder, player): LineValues(Rating(mu, sigma), games)
            for ladder, player, mu, sigma, games in cursor.fetchall()
        }


def update_standings(
    changes: StandingChanges, was: Mapping[Line, LineValues], ratings: Mapping[Line, Rating], *, at: datetime
) -> None:
    """Update the ladders for games that changed.

    :param was: the existing rows among those concerned.
    :param ratings: the rating of every row whose rating changed.
    :param at: when it changed.
    """
    lines = sorted(changes.lines.keys() | ratings.keys())
    now = {line: _moved(was.get(line, _NOTHING), changes, line, ratings.get(line)) for line in lines}
    _move_lines(now, changes, at)
    _move_buckets(was, now)
    _count_ladders(was, now, changes)


def _moved(was: LineValues, changes: StandingChanges, line: Line, rating: Rating | None) -> LineValues:
    return LineValues(rating or was.rating, was.games + changes.lines.get(line, _ZERO)[0])


def _move_lines(now: Mapping[Line, LineValues], changes: StandingChanges, at: datetime) -> None:
    newest = {line: (number, at) for line, number in changes.newest.items()} | newest_games(changes.shaken)
    rows = [
        (*line, *changes.lines.get(line, _ZERO), stood.rating.mu, stood.rating.sigma, *newest.get(line, (None, None)))
        for line, stood in now.items()
    ]
    with connection.cursor() as cursor:
        cursor.execute(_MOVE_LINES, columns(rows, len(COUNTED) + 6))


def _move_buckets(was: Mapping[Line, LineValues], now: Mapping[Line, LineValues]) -> None:
    """Move each line from the bucket of its former rating to that of the new one."""
    moves: Counter[tuple[int, int]] = Counter()
    for line, stood in now.items():
        if line in was:
            moves[line[0], floor(was[line].rating.value)] -= 1
        if stood.games:
            moves[line[0], floor(stood.rating.value)] += 1
    rows = [(*bucket, players) for bucket, players in sorted(moves.items()) if players]
    with connection.cursor() as cursor:
        cursor.execute(_MOVE_BUCKETS, columns(rows, 3))


def _count_ladders(was: Mapping[Line, LineValues], now: Mapping[Line, LineValues], changes: StandingChanges) -> None:
    players = Counter[int]()
    for line, stood in now.items():
        players[line[0]] += bool(stood.games) - (line in was)
    rows = [
        (ladder, players[ladder], changes.games[ladder]) for ladder in sorted(players.keys() | changes.games.keys())
    ]
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_LADDERS, columns(rows, 3))
