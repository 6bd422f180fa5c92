"""Reading how many points people have won at tables over opponents for whom nobody vouches.

Games at rated tables count without vouching (decision 79), so that newcomers can play at once. An account that has got
as far as `BEGINNERS` on a ladder, and has won `FREE` points in this way within a year, waits with each further game in
which they do not come behind such an opponent. So a circle of accounts that nobody knows cannot lift anybody above
where newcomers are, and nobody who is there already by much.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import permutations
from typing import NamedTuple

from django.db import connection

from engine.rating import Rating, rate
from games.holds.reads.due_games import DueSeat, Table, played_here, players_of
from games.holds.reads.vouching import Standing, standings_of, unvouched
from games.models import Standing as Stands
from games.platform.bulk_sql import columns

BEGINNERS = 500
"""Up to this rating nothing waits: a newcomer's first four wins over others lead there."""
FREE = 100
"""From so many points won within `DAYS` on, further games of those who are rated higher wait."""
DAYS = 365
FIRST_WIN = rate([Rating(), Rating()], [1, 2])[0].value - Rating().value
"""What a win is taken to be worth until the game is rated: as much as the first one."""

# A game's points are shared among the opponents who did not come before; corrections change nothing here.
_POINTS = """
WITH who AS (SELECT * FROM unnest(%(persons)s::bigint[], %(players)s::bigint[]) AS who (person, player)),
won AS (
    SELECT asked.ladder, asked.person, mine.player_id AS player, its.player_id AS rival,
           greatest(0, (mine.mu - 3 * mine.sigma) - (mine.mu_before - 3 * mine.sigma_before))
               / count(*) OVER (PARTITION BY mine.id) AS points
    FROM unnest(%(ladders)s::bigint[], %(asked)s::bigint[]) AS asked (ladder, person)
    JOIN who ON who.person = asked.person
    JOIN games_ratingevent AS mine ON mine.player_id = who.player AND mine.ladder_id = asked.ladder
        AND mine.correction_id IS NULL AND mine.at > %(at)s - make_interval(days => %(days)s)
    JOIN games_ratingevent AS its ON its.number = mine.number AND its.correction_id IS NULL
        AND its.seat <> mine.seat AND its.place >= mine.place
    WHERE EXISTS (SELECT FROM games_table WHERE game_id = mine.game_id AND rated)
)
SELECT won.ladder, won.person, coalesce(own.merged_into_id, own.id), coalesce(whole.id, its.id),
       CASE WHEN whole.id IS NULL THEN its.account_id ELSE whole.account_id END, sum(won.points)
FROM won JOIN games_player AS own ON own.id = won.player
JOIN games_player AS its ON its.id = won.rival LEFT JOIN games_player AS whole ON whole.id = its.merged_into_id
GROUP BY 1, 2, 3, 4, 5
"""

Line = tuple[int, int, int]
"""A ladder, and a person with the player who sits there."""


class Lacking(NamedTuple):
    """A player for whom nobody vouches, at a game that would lift somebody further who has won many points already."""

    player: int
    by: int
    """Who would win more."""
    points: int
    """How many those are."""

    @property
    def params(self) -> dict[str, int]:
        """Return the figures for a flag."""
        return {"points": self.points} | ({"rival": self.by} if self.by != self.player else {})


class _Won(NamedTuple):
    """What somebody's rating is, and how much of it was won over those for whom nobody vouches."""

    rating: float
    points: float

    def one_more(self) -> "_Won":
        """Return the same with one win more that is not rated yet."""
        return _Won(self.rating + FIRST_WIN, self.points + FIRST_WIN)

    def waits(self) -> bool:
        """Return whether that is enough."""
        return self.rating >= BEGINNERS and self.points >= FREE


class TablePoints:
    """How many points people have won in this way, counting each added table as if it had its place."""

    def __init__(self, tables: Iterable[Table], standings: Mapping[int, Standing], at: datetime) -> None:
        """Read what is rated.

        :param standings: who vouches for the players at these tables.
        """
        tables = list(tables)
        self._standings, self._here = standings, played_here(table.game for table in tables)
        self._won = _won({line for table in tables for line, _ in self._of(table)}, at)

    def is_played_here(self, table: Table) -> bool:
        """Return whether a game was played at a rated table of this site, where only such points need a voucher."""
        return table.game in self._here

    def lacking(self, table: Table) -> Iterator[Lacking]:
        """Yield for whom somebody would have to vouch before a table counts, each once."""
        found = dict[int, Lacking]()
        for line, player in self._of(table):
            if (won := self._won[line]).waits():
                found.setdefault(player, Lacking(player, line[2], int(won.points)))
        yield from found.values()

    def add(self, table: Table) -> None:
        """Count a table for those that follow."""
        for line, _ in self._of(table):
            self._won[line] = self._won[line].one_more()

    def _of(self, table: Table) -> Iterator[tuple[Line, int]]:
        """Yield who does not come behind somebody unvouched at a table of this site, and who lacks a voucher."""
        if not self.is_played_here(table):
            return
        sitting = set(table.accounts.values())
        for one, other in permutations(table.seats, 2):
            if one.place <= other.place and one.person != other.person:
                for player in _missing(_named(one), _named(other), self._standings, sitting):
                    yield (table.ladder, one.person, one.player), player


def _named(seat: DueSeat) -> tuple[int, int | None]:
    return seat.player, seat.account


def _missing(
    one: tuple[int, int | None], other: tuple[int, int | None], standings: Mapping[int, Standing], sitting: set[int]
) -> Iterator[int]:
    """Yield who lacks a voucher where one player does not come behind another.

    That is the other one, unless a moderator or organiser vouches who does not sit there. If only a known player
    vouches for the other one, the first needs a voucher as well: otherwise one known player could make ten opponents
    for a second account.
    """
    (player, account), (rival, its_account) = one, other
    if its_account is None:
        yield rival
    elif not standings[rival].is_independent_of(sitting):
        pair = {rival: its_account} | ({player: account} if account else {})
        if missing := unvouched(pair, standings):
            yield rival if rival in missing else player


def _won(lines: set[Line], at: datetime) -> dict[Line, _Won]:
    """Return what people have won at rated tables over those for whom nobody vouches now."""
    if not lines:
        return {}
    rows = _rows(lines, at)
    standings = standings_of({player for _, _, *both, _, _ in rows for player in both})
    points = defaultdict[tuple[int, int], float](float)
    for ladder, person, player, rival, account, won in rows:
        mine = person if person > 0 else None
        sitting = {one for one in (mine, account) if one}
        if any(_missing((player, mine), (rival, account), standings, sitting)):
            points[ladder, person] += won
    ratings = _ratings(lines)
    return {line: _Won(ratings.get((line[0], line[2]), 0), points[line[:2]]) for line in lines}


def _ratings(lines: set[Line]) -> dict[tuple[int, int], float]:
    ladders, _, players = zip(*lines, strict=True)
    rows = Stands.objects.filter(ladder__in=set(ladders), player__in=set(players))
    return {(ladder, player): value for ladder, player, value in rows.values_list("ladder", "player", "value")}


def _rows(lines: set[Line], at: datetime) -> list[tuple[int, int, int, int, int | None, float]]:
    ladders, asked = columns(sorted({line[:2] for line in lines}), 2)
    persons, players = columns(players_of(person for _, person, _ in lines), 2)
    whom = {"persons": persons, "players": players, "ladders": ladders, "asked": asked}
    with connection.cursor() as cursor:
        cursor.execute(_POINTS, {**whom, "at": at, "days": DAYS})
        rows: list[tuple[int, int, int, int, int | None, float]] = cursor.fetchall()
    return rows
