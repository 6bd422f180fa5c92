"""Reading the tables of games that are due on the site: players as rated, and their accounts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, groupby, permutations
from operator import itemgetter
from typing import NamedTuple

from django.db import connection
from django.db.models import Q

from games.models import Player
from games.models import Table as PlayTable

EARLY = 6
"""Rounds, or pairs of turns, within which giving up is early: about a third of a game, in every ruleset."""

_TABLES = """
SELECT due.id, due.ladder_id, seating.game_id, seating.place, coalesce(whole.id, player.id),
       CASE WHEN whole.id IS NULL THEN player.account_id ELSE whole.account_id END, seating.left_in,
       seating.game_id > coalesce(whole.unsettled_after, player.unsettled_after)
FROM games_acceptance AS due JOIN games_ladder AS ladder ON ladder.id = due.ladder_id
JOIN games_seating AS seating ON seating.game_id = due.game_id
JOIN games_player AS player ON player.id = seating.player_id
LEFT JOIN games_player AS whole ON whole.id = player.merged_into_id
WHERE due.id = ANY(%s) AND ladder.club_id IS NULL ORDER BY due.id, seating.seat
"""


class DueSeat(NamedTuple):
    """A seat of a table."""

    place: int
    player: int
    account: int | None
    left_in: int | None
    """The round, or pair of turns, in which the seat gave up; none if it played on."""
    unsettled: bool | None = None
    """Whether the name has changed hands, and the game has not been looked at since."""

    @property
    def person(self) -> int:
        """Return one number for all players of an account; for a player without an account, a negative one."""
        return self.account or -self.player

    def gave_up_early_to(self, other: "DueSeat") -> bool:
        """Return whether another player came before this one because this one gave up early."""
        return other.place < self.place and self.left_in is not None and self.left_in <= EARLY


@dataclass(frozen=True, slots=True)
class Table:
    """A game that is due for the whole site, and who sat there, as they are rated."""

    acceptance: int
    ladder: int
    game: int
    seats: tuple[DueSeat, ...]

    @property
    def accounts(self) -> dict[int, int]:
        """Return the accounts by player, of those who have one."""
        return {seat.player: seat.account for seat in self.seats if seat.account}

    @property
    def unsettled(self) -> bool:
        """Return whether it still has to be checked who has agreed to the game."""
        return any(seat.unsettled for seat in self.seats)

    @property
    def pairs(self) -> dict[tuple[int, int], tuple[DueSeat, DueSeat]]:
        """Return every pair of persons who met there, the lower number first."""
        met = combinations(sorted(self.seats, key=lambda seat: (abs(seat.person), seat.person)), 2)
        return {(one.person, other.person): (one, other) for one, other in met if one.person != other.person}

    @property
    def gifts(self) -> dict[tuple[int, int], tuple[DueSeat, DueSeat]]:
        """Return, as pairs of persons, who came before whom because the other gave up early."""
        found = ((one, other) for one, other in permutations(self.seats, 2) if other.gave_up_early_to(one))
        return {(one.person, other.person): (one, other) for one, other in found if one.person != other.person}


def tables_of(acceptances: Iterable[int]) -> Iterator[Table]:
    """Yield the games among some that are for the whole site, in order."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES, [list(acceptances)])
        for (acceptance, ladder, game), rows in groupby(cursor.fetchall(), itemgetter(0, 1, 2)):
            yield Table(acceptance, ladder, game, tuple(DueSeat(*row[3:]) for row in rows))


def played_here(games: Iterable[int]) -> set[int]:
    """Return those of some games that were played at rated tables of this site."""
    tables = PlayTable.objects.filter(game__in=list(games), rated=True)
    return set(tables.values_list("game", flat=True))


def players_of(persons: Iterable[int]) -> list[tuple[int, int]]:
    """Return persons with each of their players, those merged into others as well: games name who sat there then."""
    persons = set(persons)
    accounts, nobodys = [one for one in persons if one > 0], [-one for one in persons if one < 0]
    theirs = Q(account__in=accounts) | Q(merged_into__account__in=accounts)
    found = Player.objects.filter(theirs | Q(pk__in=nobodys) | Q(merged_into__in=nobodys))
    rows = found.values_list("pk", "account", "merged_into", "merged_into__account")
    people = ((whole or -into if into else own or -pk, pk) for pk, own, into, whole in rows)
    return [(person, pk) for person, pk in people if person in persons]
