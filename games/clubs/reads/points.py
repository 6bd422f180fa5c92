"""The points of a club: one for each player you finish ahead of, half of one for each you tie with.

They follow from the places of the games that the club has accepted, so that they count as soon as a game is verified.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce, TruncDate

from games.models import Club, ClubMember, Player, RatingEvent, Season
from games.ratings.reads.ledger import holding

MOST = 20_000
"""Places read for one table."""
EVENINGS = 12
"""Of a table, the newest ones; the points of earlier ones are in the sum."""


@dataclass(slots=True)
class PointsRow:
    """A player's line in the table."""

    player: int
    name: str
    account: int | None
    evenings: dict[date, int] = field(default_factory=dict)
    """Halves of points by evening; a day on which the player was not there is missing."""
    halves: int = 0
    games: int = 0
    places: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    place: int = 0
    climbed: int = 0
    """Places gained since the evening before."""


@dataclass(frozen=True, slots=True)
class PointsTable:
    """A table of points."""

    evenings: tuple[date, ...]
    rows: tuple[PointsRow, ...]
    games: int


@dataclass(frozen=True, slots=True)
class _Sat:
    game: int
    day: date
    player: int
    name: str
    account: int | None
    place: int


def points_table(club: Club, season: Season | None = None) -> PointsTable:
    """Return the table of a season, or of all games of a club."""
    return _table(_places(club, season))


@dataclass(frozen=True, slots=True)
class ClubPoints:
    """What a club's page shows of its games, read once."""

    table: PointsTable
    """Of the season."""
    rows: tuple[PointsRow, ...]
    """Of all games."""
    played: dict[date, list[int]]
    """The games by evening, newest first."""


def club_points(club: Club, season: Season | None) -> ClubPoints:
    """Return the table of a season, and the lines and evenings of all games of a club."""
    sat = _places(club, None)
    everything = _table(sat)
    table = _table([one for one in sat if season.begins <= one.day <= season.ends]) if season else everything
    return ClubPoints(table, everything.rows, _by_day(sat))


def table_of(club: Club, season: Season) -> dict[str, Any]:
    """Return the table of a season as plain values; a final one has the names that players have now."""
    if season.table is None:
        return as_json(points_table(club, season))
    rows = season.table["rows"]
    names = dict(Player.objects.filter(pk__in=[row["player"] for row in rows]).values_list("pk", "name"))
    return {**season.table, "rows": [{**row, "name": names.get(row["player"], row["name"])} for row in rows]}


def tables_played(club: Club, season: Season) -> list[list[tuple[str, int | None]]]:
    """Return the names and accounts at each table of a season's games."""
    tables: dict[int, list[tuple[str, int | None]]] = defaultdict(list)
    for one in _places(club, season):
        tables[one.game].append((one.name, one.account))
    return list(tables.values())


def _table(sat: list[_Sat]) -> PointsTable:
    rows = _rows(sat)
    days = sorted({one.day for one in sat})
    if len(days) > 1:
        before = {row.player: row.place for row in _rows([one for one in sat if one.day != days[-1]])}
        for row in rows:
            row.climbed = before[row.player] - row.place if row.player in before else 0
    return PointsTable(tuple(days[-EVENINGS:]), tuple(rows), len({one.game for one in sat}))


def _by_day(sat: list[_Sat]) -> dict[date, list[int]]:
    """Return the games by evening, newest first."""
    days: dict[date, set[int]] = defaultdict(set)
    for one in sat:
        days[one.day].add(one.game)
    return {day: sorted(days[day]) for day in sorted(days, reverse=True)}


def _places(club: Club, season: Season | None) -> list[_Sat]:
    """Return who took which place in which game; games without a date belong to the day of their upload."""
    events = RatingEvent.objects.filter(holding(), ladder__club=club.pk, counts=True)
    events = events.annotate(day=Coalesce("game__played_on", TruncDate("game__received_at")))
    if season:
        events = events.filter(day__gte=season.begins, day__lte=season.ends)
    places = events.order_by("-number", "game", "seat").values_list(
        "game", "day", "player", "player__name", F("player__account"), "place"
    )
    rows = list(places[: MOST + 1])
    cut = rows.pop()[0] if len(rows) > MOST else None  # of this game, places may be missing
    return [_Sat(*row) for row in rows if row[0] != cut]


def _rows(sat: Iterable[_Sat]) -> list[PointsRow]:
    """Return the lines, by points and then by fewer games; equal lines share a place."""
    games: dict[int, list[_Sat]] = defaultdict(list)
    for one in sat:
        games[one.game].append(one)
    rows: dict[int, PointsRow] = {}
    for table in games.values():
        for one in table:
            row = rows.setdefault(one.player, PointsRow(one.player, one.name, one.account))
            _add(row, one, [other.place for other in table if other is not one])
    ordered = sorted(rows.values(), key=lambda row: (-row.halves, row.games, row.name, row.player))
    for number, row in enumerate(ordered):
        above = ordered[number - 1] if number else None
        same = above is not None and (above.halves, above.games) == (row.halves, row.games)
        row.place = above.place if above and same else number + 1
    return ordered


def _add(row: PointsRow, one: _Sat, others: list[int]) -> None:
    halves = sum(2 if one.place < other else 1 if one.place == other else 0 for other in others)
    row.evenings[one.day] = row.evenings.get(one.day, 0) + halves
    row.halves += halves
    row.games += 1
    row.places[min(one.place, 4) - 1] += 1


def in_points(halves: int) -> str:
    """Return points as they are written: 5½."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


def as_json(table: PointsTable) -> dict[str, object]:
    """Return a table as plain values: what is kept of a season, and what the export gives."""
    return {
        "evenings": [day.isoformat() for day in table.evenings],
        "games": table.games,
        "rows": [
            {
                "place": row.place,
                "player": row.player,
                "name": row.name,
                "points": row.halves / 2,
                "games": row.games,
                "places": row.places,
                "evenings": {day.isoformat(): halves / 2 for day, halves in sorted(row.evenings.items())},
            }
            for row in table.rows
        ],
    }


def name_of(member: ClubMember) -> str:
    """Return how a member is called: as the account, or by the name under which they were added."""
    return member.account.get_username() if member.account else member.name
