"""Thresholds: how often the same people play each other, or resign early, before it is unusual.

A person is an account with all its names; games under any of them are counted together.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from math import inf
from typing import NamedTuple

from django.db import connection

from games.holds.reads.due_games import EARLY, Table, players_of
from games.models import Flag
from games.platform.bulk_sql import columns

PAIRINGS_A_DAY = 10
PAIRINGS_A_MONTH = 40
"""From so many games of the same two within a day, or thirty days, on it is unusual."""
FARMED = 3
"""From so many games within a week on in which the same rival gave up early it is unusual."""
RECEIVED = 6
"""From so many on in which anybody gave up early to the same player."""
AGAIN = 3
"""Once one such game was looked at and let count, the third after it waits."""

# Rated games, each once; and those after the last one that somebody checked for the same accounts.
_COUNT = """
WITH who AS (SELECT * FROM unnest(%(persons)s::bigint[], %(players)s::bigint[]) AS who (person, player)),
found AS (
    SELECT DISTINCT asked.ladder, asked.one, asked.other, mine.number, mine.at, EXISTS (
        SELECT FROM games_flag AS flag JOIN who AS looked ON looked.player = flag.player_id
        LEFT JOIN who AS rival ON rival.player = (flag.params->>'rival')::bigint
        WHERE flag.game_id = mine.game_id AND flag.ladder_id = mine.ladder_id AND flag.kind = %(kind)s
          AND flag.settled_at IS NOT NULL AND NOT flag.unrated AND flag.answer <> ''
          AND looked.person IN (asked.one, asked.other)
          AND (asked.other = 0 OR rival.person IN (asked.one, asked.other))
    ) AS seen
    FROM unnest(%(ladders)s::bigint[], %(ones)s::bigint[], %(others)s::bigint[]) AS asked (ladder, one, other)
    JOIN who AS me ON me.person = asked.one
    JOIN games_ratingevent AS mine ON mine.player_id = me.player AND mine.ladder_id = asked.ladder
        AND mine.correction_id IS NULL AND mine.at > %(at)s - make_interval(days => %(days)s)
    JOIN games_ratingevent AS its ON its.number = mine.number AND its.correction_id IS NULL
    WHERE (asked.other = 0 OR EXISTS (
        SELECT FROM who WHERE who.person = asked.other AND who.player = its.player_id)) {gave_up}
),
since AS (
    SELECT *, max(number) FILTER (WHERE seen) OVER (PARTITION BY ladder, one, other) AS last FROM found
)
SELECT ladder, one, other, count(*) FILTER (WHERE at > %(at)s - interval '1 day'), count(*),
       count(*) FILTER (WHERE number > coalesce(last, 0))
FROM since GROUP BY ladder, one, other
"""
_GAVE_UP = """AND its.place > mine.place AND EXISTS (
    SELECT FROM games_seating AS seating
    WHERE seating.game_id = mine.game_id AND seating.seat = its.seat AND seating.left_in <= %(early)s)"""
_MET_QUERY, _GIVEN_QUERY = _COUNT.format(gave_up=""), _COUNT.format(gave_up=_GAVE_UP)

Pair = tuple[int, int, int]
"""A ladder and two persons; of what one of them got from anybody, the second is 0."""


class Unusual(NamedTuple):
    """A threshold that a game reaches, and whom it concerns."""

    kind: Flag.Kind
    player: int
    params: dict[str, int]


class _Met(NamedTuple):
    """How often two persons have met, or one has given up early to the other."""

    day: int = 0
    whole: int = 0
    """In the whole time that matters."""
    since: int = 0
    """Of these, those after the last that somebody has looked at."""

    def one_more(self) -> "_Met":
        """Return the same with one game more."""
        return _Met(self.day + 1, self.whole + 1, self.since + 1)

    def is_unusual(self, a_day: float, most: int) -> bool:
        """Return whether the number is unusual and nobody has checked it recently."""
        return (self.day >= a_day or self.whole >= most) and self.since >= AGAIN

    def waits_as_meeting(self) -> bool:
        """Return whether two players have met unusually often."""
        return self.is_unusual(PAIRINGS_A_DAY, PAIRINGS_A_MONTH)

    def waits_as_gift(self, most: int) -> bool:
        """Return whether opponents gave up unusually often."""
        return self.is_unusual(inf, most)


class Counts:
    """How often persons have met, counting each added table as if it had its place."""

    def __init__(self, tables: Sequence[Table], at: datetime) -> None:
        who = players_of({seat.person for table in tables for seat in table.seats})
        asked = partial(_counted, who=who, at=at)
        met, given, received = ({pair for table in tables for pair in of(table)} for of in (_met, _given, _received))
        self._met = asked(_MET_QUERY, met, Flag.Kind.REPEATED_PAIRING, 30)
        self._given = asked(_GIVEN_QUERY, given | received, Flag.Kind.RESIGN_FARMING, 7)

    def add(self, table: Table) -> None:
        """Count a table for those that follow. If it was unusual, somebody has checked it and let it count."""
        for pair in _met(table):
            more = self._met.get(pair, _Met()).one_more()
            self._met[pair] = more._replace(since=0) if more.waits_as_meeting() else more
        for pair in _given(table) | _received(table):
            more = self._given.get(pair, _Met()).one_more()
            self._given[pair] = more._replace(since=0) if more.waits_as_gift(_most(pair)) else more

    def unusual(self, table: Table) -> Iterator[Unusual]:
        """Yield the thresholds that a table reaches."""
        for pair, (one, other) in table.pairs.items():
            met = self._met.get((table.ladder, *pair), _Met()).one_more()
            if met.waits_as_meeting():
                figures = {"rival": other.player, "day": met.day, "month": met.whole}
                yield Unusual(Flag.Kind.REPEATED_PAIRING, one.player, figures)
        named = set[int]()
        for pair, (one, other) in table.gifts.items():
            week = self._given.get((table.ladder, *pair), _Met()).one_more()
            if week.waits_as_gift(FARMED):
                named.add(one.person)
                yield Unusual(Flag.Kind.RESIGN_FARMING, one.player, {"rival": other.player, "week": week.whole})
        for one in {one.person: one for one, _ in table.gifts.values() if one.person not in named}.values():
            week = self._given.get((table.ladder, one.person, 0), _Met()).one_more()
            if week.waits_as_gift(RECEIVED):
                yield Unusual(Flag.Kind.RESIGN_FARMING, one.player, {"received": week.whole})


def _met(table: Table) -> set[Pair]:
    return {(table.ladder, *pair) for pair in table.pairs}


def _given(table: Table) -> set[Pair]:
    return {(table.ladder, *pair) for pair in table.gifts}


def _received(table: Table) -> set[Pair]:
    return {(table.ladder, one, 0) for one, _ in table.gifts}


def _most(pair: Pair) -> int:
    return FARMED if pair[2] else RECEIVED


def _counted(
    query: str, pairs: set[Pair], kind: Flag.Kind, days: int, *, who: list[tuple[int, int]], at: datetime
) -> dict[Pair, _Met]:
    """Return how often persons have met, or given up early, in games that have their places."""
    persons, players = columns(who, 2)
    ladders, ones, others = columns(sorted(pairs), 3)
    whom = {"persons": persons, "players": players, "ladders": ladders, "ones": ones, "others": others}
    with connection.cursor() as cursor:
        cursor.execute(query, {**whom, "kind": kind, "days": days, "at": at, "early": EARLY})
        return {(ladder, one, other): _Met(*figures) for ladder, one, other, *figures in cursor.fetchall()}
