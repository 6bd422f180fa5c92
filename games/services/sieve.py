"""The sieve: which games that are due wait for somebody to look at them, before they get a place in the order.

Called under the lock of the order, so that of two games that together are too many, or the same play, one is first and
the other waits. Whatever holds a game is a flag that names its ladder; once none is open the game goes on.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Q

from engine.ruleset import Termination
from games.models import Acceptance, Flag
from games.selectors.vouching import known, standings_of, unvouched
from games.services.columns import columns

PAIRINGS_A_DAY = 10
PAIRINGS_A_MONTH = 40
"""So many games of the same two within a day, or thirty days, are unusual; and every further so many."""
FARMED = 3
"""So many games within a week in which the same player won because the same rival gave up early are unusual."""
EARLY = 12
"""Actions before which giving up is early."""
NEW = timedelta(days=7)
"""An account younger than this is brand-new."""

Kind = Flag.Kind

_LIKENESSES = """
SELECT due.id, due.ladder_id, game.likeness, game.digest FROM games_acceptance AS due
JOIN games_game AS game ON game.id = due.game_id WHERE due.id = ANY(%s) AND game.likeness <> ''
"""
# Of the games of each play the one that came first in each ladder, whatever became of it.
_FIRST_OF_PLAY = """
SELECT DISTINCT ON (alike.likeness, other.ladder_id)
       alike.likeness, other.ladder_id, other.id, other.number, alike.id, alike.digest
FROM games_game AS alike
CROSS JOIN LATERAL (SELECT * FROM games_acceptance WHERE game_id = alike.id OFFSET 0) AS other
WHERE alike.likeness = ANY(%s) ORDER BY alike.likeness, other.ladder_id, other.number NULLS LAST, other.id
"""
_TABLES = """
SELECT due.id, due.ladder_id, game.id, game.plies, game.termination, seating.place,
       coalesce(player.merged_into_id, player.id), coalesce(whole.account_id, player.account_id)
FROM games_acceptance AS due JOIN games_ladder AS ladder ON ladder.id = due.ladder_id
JOIN games_game AS game ON game.id = due.game_id
JOIN games_seating AS seating ON seating.game_id = game.id
JOIN games_player AS player ON player.id = seating.player_id
LEFT JOIN games_player AS whole ON whole.id = player.merged_into_id
WHERE due.id = ANY(%s) AND ladder.league_id IS NULL ORDER BY due.id, seating.seat
"""
_MET = """
SELECT pair.ladder, pair.one, pair.other, count(*) FILTER (WHERE mine.at > %s - interval '1 day'), count(*)
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS pair (ladder, one, other)
JOIN games_ratingevent AS mine ON mine.player_id = pair.one AND mine.ladder_id = pair.ladder
    AND mine.recount_id IS NULL AND mine.at > %s - interval '30 days'
JOIN games_ratingevent AS its ON its.number = mine.number AND its.player_id = pair.other AND its.recount_id IS NULL
GROUP BY pair.ladder, pair.one, pair.other
"""
_GIFTS = """
SELECT pair.ladder, pair.winner, pair.loser, count(*)
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS pair (ladder, winner, loser)
JOIN games_ratingevent AS mine ON mine.player_id = pair.winner AND mine.ladder_id = pair.ladder
    AND mine.recount_id IS NULL AND mine.place = 1 AND mine.at > %s - interval '7 days'
JOIN games_ratingevent AS its ON its.number = mine.number AND its.player_id = pair.loser AND its.recount_id IS NULL
    AND its.place > mine.place
JOIN games_game AS game ON game.id = mine.game_id AND game.termination = ANY(%s) AND game.plies < %s
GROUP BY pair.ladder, pair.winner, pair.loser
"""
_GIVEN_UP = [Termination.RESIGNED.value, Termination.TIMED_OUT.value]

Pair = tuple[int, int, int]
"""A ladder and two players."""


class Sat(NamedTuple):
    """A seat of a table."""

    place: int
    player: int
    account: int | None


@dataclass(frozen=True, slots=True)
class Table:
    """A game that is due for the whole site, and who sat there, as they are rated."""

    acceptance: int
    ladder: int
    game: int
    plies: int
    termination: str
    seats: tuple[Sat, ...]

    @property
    def accounts(self) -> list[int]:
        """Whose the players are."""
        return [seat.account for seat in self.seats if seat.account]

    @property
    def pairs(self) -> list[Pair]:
        """Every two who met there."""
        return [(self.ladder, *pair) for pair in combinations(sorted({seat.player for seat in self.seats}), 2)]

    @property
    def gift(self) -> Pair | None:
        """Who won because who gave up early. Of three or more it is not known who gave up."""
        if len(self.seats) > len(("winner", "loser")) or self.termination not in _GIVEN_UP or self.plies >= EARLY:
            return None
        winner, loser = sorted(self.seats, key=lambda seat: seat.place)
        return (self.ladder, winner.player, loser.player) if winner.place < loser.place else None


class HoldReason(NamedTuple):
    """Why a game waits, and whom it concerns."""

    kind: Flag.Kind
    player: int | None
    params: dict[str, Any]


def hold_back(due: Sequence[tuple[int, int, int]], at: datetime, *, now: datetime, watch: bool) -> set[int]:
    """Hold back what waits for somebody, with its flags. Called under the lock of the order.

    :param due: acceptance, ladder and game of each that is due, in order.
    :param at: the moment at which the others get their places; `now` is what a clock says.
    :param watch: whether to look at who plays whom, too; not where games are made up.
    :returns: the acceptances that wait.
    """
    looked_at = _Looked([game for _, _, game in due])
    found: defaultdict[int, list[HoldReason]] = defaultdict(list)
    for acceptance, first in _like(due):
        found[acceptance].append(HoldReason(Kind.LIKENESS, None, {"like": first}))
    if watch:
        _Watch(list(tables_of(acceptance for acceptance, _, _ in due)), at, looked_at, found).look()
    flags = [
        Flag(kind=one.kind, game_id=game, ladder_id=ladder, player_id=one.player, params=one.params, raised_at=now)
        for acceptance, ladder, game in due
        for one in found[acceptance]
        if not looked_at.knows(one.kind, game, ladder)
    ]
    Flag.objects.bulk_create(flags, ignore_conflicts=True)
    waiting = {(flag.game_id, flag.ladder_id) for flag in flags} | looked_at.waiting
    held = {acceptance for acceptance, ladder, game in due if (game, ladder) in waiting}
    Acceptance.objects.filter(pk__in=held).update(held=True)
    return held


class _Looked:
    """What was said of games before."""

    def __init__(self, games: Sequence[int]) -> None:
        rows = Flag.objects.filter(game__in=games, ladder__isnull=False).values_list(
            "kind", "game", "ladder", "settled_at", "unrated"
        )
        self._settled = set[tuple[str, int, int | None]]()
        self.waiting = set[tuple[int, int | None]]()
        for kind, game, ladder, settled_at, unrated in rows:
            if settled_at and not unrated:
                self._settled.add((kind, game, ladder))
            else:
                self.waiting.add((game, ladder))

    def knows(self, kind: str, game: int, ladder: int) -> bool:
        """Whether somebody has looked at this, and let the game count."""
        return (kind, game, ladder) in self._settled


def _like(due: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Games of a play that came before in the same ladder, each with that one.

    Those of one digest are another matter: there it is asked who sat at them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LIKENESSES, [[acceptance for acceptance, _, _ in due]])
        mine = cursor.fetchall()
        if not mine:
            return
        cursor.execute(_FIRST_OF_PLAY, [list({likeness for _, _, likeness, _ in mine})])
        first = {(likeness, ladder): row for likeness, ladder, *row in cursor.fetchall()}
    for acceptance, ladder, likeness, digest in mine:
        before, number, game, other = first[likeness, ladder]
        if other != digest and (number is not None or before < acceptance):
            yield acceptance, game


def brand_new(accounts: set[int], at: datetime) -> dict[int, int]:
    """Return brand-new accounts for whom neither a moderator nor an organiser vouches, with their age in days."""
    new = User.objects.filter(pk__in=accounts - known(accounts), date_joined__gt=at - NEW)
    return {user.pk: (at - user.date_joined).days for user in new}


def tables_of(acceptances: Iterable[int]) -> Iterator[Table]:
    """The games among some that are for the whole site, in order."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES, [list(acceptances)])
        for _, rows in groupby(cursor.fetchall(), itemgetter(0)):
            seats = list(rows)
            acceptance, ladder, game, plies, termination = seats[0][:5]
            yield Table(acceptance, ladder, game, plies, termination, tuple(Sat(*seat[5:]) for seat in seats))


@dataclass(slots=True)
class _Watch:
    """Looks at tables one after another, as if each that does not wait had got its place."""

    tables: list[Table]
    at: datetime
    looked_at: _Looked
    found: defaultdict[int, list[HoldReason]]
    _day: Counter[Pair] = field(default_factory=Counter)
    _month: Counter[Pair] = field(default_factory=Counter)
    _gifts: Counter[Pair] = field(default_factory=Counter)

    def look(self) -> None:
        """Look at all of them."""
        if not self.tables:
            return
        self._count()
        accounts = {account for table in self.tables for account in table.accounts}
        standings, young = standings_of(accounts), self._young(accounts)
        for table in self.tables:
            held = [*self._same(table), *self._often(table), *self._farmed(table)]
            missing = unvouched(table.accounts, standings)
            held += [HoldReason(Kind.UNVOUCHED, seat.player, {}) for seat in table.seats if seat.account in missing]
            held += [
                HoldReason(Kind.NEW_ACCOUNT, seat.player, {"days": young[seat.account]})
                for seat in table.seats
                if seat.account in young and seat.account not in missing
            ]
            self.found[table.acceptance] += held
            self._add(table)

    def _add(self, table: Table) -> None:
        """Count a table for those that follow, if it does not wait."""
        unsettled = [
            one for one in self.found[table.acceptance] if not self.looked_at.knows(one.kind, table.game, table.ladder)
        ]
        if not unsettled:
            self._day.update(table.pairs)
            self._month.update(table.pairs)
            self._gifts.update([table.gift] if table.gift else [])

    def _count(self) -> None:
        """What counts already."""
        pairs = sorted({pair for table in self.tables for pair in table.pairs})
        gifts = sorted({table.gift for table in self.tables if table.gift})
        with connection.cursor() as cursor:
            cursor.execute(_MET, [self.at, *columns(pairs, 3), self.at])
            for ladder, one, other, day, month in cursor.fetchall():
                self._day[ladder, one, other], self._month[ladder, one, other] = day, month
            cursor.execute(_GIFTS, [*columns(gifts, 3), self.at, _GIVEN_UP, EARLY])
            self._gifts.update({(ladder, winner, loser): week for ladder, winner, loser, week in cursor.fetchall()})

    def _young(self, accounts: set[int]) -> dict[int | None, int]:
        """Return brand-new accounts with their age in days. Of each only the first game is pointed out."""
        pointed_out = Q(kind=Kind.NEW_ACCOUNT, settled_at__isnull=False, unrated=False)
        known_before = set(
            Flag.objects.filter(pointed_out, player__account__in=accounts).values_list("player__account", flat=True)
        )
        return {one: days for one, days in brand_new(accounts, self.at).items() if one not in known_before}

    def _same(self, table: Table) -> Iterator[HoldReason]:
        twice = len(set(table.accounts)) < len(table.accounts)
        if twice or len({seat.player for seat in table.seats}) < len(table.seats):
            yield HoldReason(Kind.SAME_PERSON, table.seats[0].player, {"seats": 2})

    def _often(self, table: Table) -> Iterator[HoldReason]:
        for pair in table.pairs:
            day, month = self._day[pair] + 1, self._month[pair] + 1
            if not day % PAIRINGS_A_DAY or not month % PAIRINGS_A_MONTH:
                yield HoldReason(Kind.REPEATED_PAIRING, pair[1], {"rival": pair[2], "day": day, "month": month})

    def _farmed(self, table: Table) -> Iterator[HoldReason]:
        if table.gift and not (self._gifts[table.gift] + 1) % FARMED:
            yield HoldReason(
                Kind.RESIGN_FARMING, table.gift[1], {"rival": table.gift[2], "week": self._gifts[table.gift] + 1}
            )
