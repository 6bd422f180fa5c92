"""Thresholds: how often the same persons meet, and give up early to each other, before it is unusual.

A person is an account with all names that it has; games under any of them are one count.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import Q

from games.holds.reads.due_tables import EARLY, Sat, Table
from games.models import Flag, Player
from games.platform.bulk_sql import columns

PAIRINGS_A_DAY = 10
PAIRINGS_A_MONTH = 40
"""So many games of the same two within a day, or thirty days, are unusual; and every further so many."""
FARMED = 3
"""So many games within a week in which the same player gained because the same rival gave up early are unusual."""

_MET = """
WITH who AS (SELECT * FROM unnest(%s::bigint[], %s::bigint[]) AS who (person, player))
SELECT pair.ladder, pair.one, pair.other, count(DISTINCT mine.number) FILTER (WHERE mine.at > %s - interval '1 day'),
       count(DISTINCT mine.number)
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS pair (ladder, one, other)
JOIN who AS me ON me.person = pair.one
JOIN games_ratingevent AS mine ON mine.player_id = me.player AND mine.ladder_id = pair.ladder
    AND mine.recount_id IS NULL AND mine.at > %s - interval '30 days'
JOIN games_ratingevent AS its ON its.number = mine.number AND its.recount_id IS NULL
JOIN who AS rival ON rival.person = pair.other AND rival.player = its.player_id
GROUP BY pair.ladder, pair.one, pair.other
"""
_GIVEN = """
WITH who AS (SELECT * FROM unnest(%s::bigint[], %s::bigint[]) AS who (person, player))
SELECT pair.ladder, pair.one, pair.other, count(DISTINCT mine.number)
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS pair (ladder, one, other)
JOIN who AS me ON me.person = pair.one
JOIN games_ratingevent AS mine ON mine.player_id = me.player AND mine.ladder_id = pair.ladder
    AND mine.recount_id IS NULL AND mine.at > %s - interval '7 days'
JOIN games_ratingevent AS its ON its.number = mine.number AND its.recount_id IS NULL AND its.place > mine.place
JOIN who AS rival ON rival.person = pair.other AND rival.player = its.player_id
JOIN games_seating AS seating ON seating.game_id = mine.game_id AND seating.seat = its.seat AND seating.left_in <= %s
GROUP BY pair.ladder, pair.one, pair.other
"""

Pair = tuple[int, int, int]
"""A ladder and two persons."""


class Unusual(NamedTuple):
    """A threshold that a game reaches, and whom it concerns."""

    kind: Flag.Kind
    player: int
    params: dict[str, int]


class Counts:
    """How often persons have met, as if each table that was added had got its place."""

    def __init__(self, tables: Sequence[Table], at: datetime) -> None:
        self._day, self._month, self._gifts = Counter[Pair](), Counter[Pair](), Counter[Pair]()
        pairs = sorted({(table.ladder, *pair) for table in tables for pair in table.pairs})
        gifts = sorted({(table.ladder, *gift) for table in tables for gift in table.gifts})
        who = columns(_players_of({seat.person for table in tables for seat in table.seats}), 2)
        with connection.cursor() as cursor:
            cursor.execute(_MET, [*who, at, *columns(pairs, 3), at])
            for ladder, one, other, day, month in cursor.fetchall():
                self._day[ladder, one, other], self._month[ladder, one, other] = day, month
            cursor.execute(_GIVEN, [*who, *columns(gifts, 3), at, EARLY])
            self._gifts.update({(ladder, one, other): week for ladder, one, other, week in cursor.fetchall()})

    def add(self, table: Table) -> None:
        """Count a table for those that follow."""
        pairs = [(table.ladder, *pair) for pair in table.pairs]
        self._day.update(pairs)
        self._month.update(pairs)
        self._gifts.update((table.ladder, *gift) for gift in table.gifts)

    def unusual(self, table: Table) -> Iterator[Unusual]:
        """Yield the thresholds that a table reaches."""
        for pair, (one, other) in table.pairs.items():
            day, month = self._day[table.ladder, *pair] + 1, self._month[table.ladder, *pair] + 1
            if not day % PAIRINGS_A_DAY or not month % PAIRINGS_A_MONTH:
                yield _unusual(Flag.Kind.REPEATED_PAIRING, one, other, day=day, month=month)
        for pair, (one, other) in table.gifts.items():
            week = self._gifts[table.ladder, *pair] + 1
            if not week % FARMED:
                yield _unusual(Flag.Kind.RESIGN_FARMING, one, other, week=week)


def _unusual(kind: Flag.Kind, one: Sat, other: Sat, **figures: int) -> Unusual:
    return Unusual(kind, one.player, {"rival": other.player, **figures})


def _players_of(persons: Iterable[int]) -> list[tuple[int, int]]:
    """Return persons with each of their players, those merged into others as well: games name who sat there then."""
    persons = set(persons)
    accounts, nobodys = [one for one in persons if one > 0], [-one for one in persons if one < 0]
    theirs = Q(account__in=accounts) | Q(merged_into__account__in=accounts)
    found = Player.objects.filter(theirs | Q(pk__in=nobodys) | Q(merged_into__in=nobodys))
    rows = found.values_list("pk", "account", "merged_into", "merged_into__account")
    people = ((whole or -into if into else own or -pk, pk) for pk, own, into, whole in rows)
    return [(person, pk) for person, pk in people if person in persons]
