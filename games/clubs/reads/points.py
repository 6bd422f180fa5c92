"""A club's table of points: one for each player you finish ahead of, half a point for each you tie with.

Points follow from the places in the games that the club has accepted, so they count as soon as a game is verified.
A game whose day is partly known counts in a season that all its possible days are in, and on no evening; a game without
a date belongs to the day of its upload.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import Count, F, QuerySet, Subquery
from django.db.models.functions import Coalesce, TruncDate

from engine.agn.dates import Days
from games.models import Club, ClubMember, Game, Player, RatingEvent, Season
from games.ratings.reads.ledger import holding
from games.records.reads.begun import tables_of

EVENINGS = 12
"""Of a table, the newest ones; the points of earlier ones are in the sum."""


@dataclass(slots=True)
class PointsRow:
    """A player's row in the table; an account with several names has one row."""

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
class _Sum:
    """A player's points, games and places in the games of one date."""

    player: int
    name: str
    account: int | None
    days: Days
    halves: int
    games: int
    places: tuple[int, ...]
    """How often each, from the first to the fourth."""

    @property
    def person(self) -> tuple[int | None, int]:
        """Return what an account's names have in common; a name without an account is a person of its own."""
        return (self.account, 0) if self.account else (None, self.player)


def points_table(club: Club, season: Season | None = None) -> PointsTable:
    """Return the table of a season, or of all games of a club."""
    return _table(_sums(_events(club, season)), _games_by_days(club, season))


@dataclass(frozen=True, slots=True)
class ClubPoints:
    """The points, rows and evenings that a club's page shows."""

    table: PointsTable
    """Of the season."""
    rows: tuple[PointsRow, ...]
    """Of all games."""
    games: int
    """How many there are of all."""
    played: dict[date, int]
    """How many games of each evening, newest first."""


def club_points(club: Club, season: Season | None) -> ClubPoints:
    """Return the table of a season, and the rows and evenings of all the club's games."""
    sums, counted = _sums(_events(club, None)), _games_by_days(club, None)
    everything = _table(sums, counted)
    played = {days.first: games for days, games in counted.items() if days.only}
    if season is None:
        return ClubPoints(everything, everything.rows, everything.games, played)
    within = {days: games for days, games in counted.items() if days.are_within(season.begins, season.ends)}
    return ClubPoints(
        _table([one for one in sums if one.days in within], within), everything.rows, everything.games, played
    )


def games_of_day(club: Club, day: date) -> "QuerySet[Game]":
    """Return the public games of an evening, in their order."""
    games = _events(club, None).filter(first=day, last=day).order_by().values("game")
    return Game.objects.filter(pk__in=games, private=False).order_by("pk")


def rows_of_day(club: Club, day: date) -> tuple[PointsRow, ...]:
    """Return the rows of an evening's own table; none for a day without games."""
    return tuple(_rows(_sums(_events(club, None).filter(first=day, last=day))).values())


def evenings_beside(club: Club, day: date) -> tuple[date | None, date | None]:
    """Return the evenings before and after a day on which games were played."""
    days = _events(club, None).filter(first=F("last")).order_by("first").values_list("first", flat=True)
    return days.filter(first__lt=day).last(), days.filter(first__gt=day).first()


def games_of_season(club: Club, season: Season) -> "QuerySet[Any, int]":
    """Return the ids of a season's games, in the order of their first possible days."""
    games: QuerySet[Any, int] = _events(club, season).order_by("first", "game").values_list("game", flat=True)
    return games.distinct()


def table_of(club: Club, season: Season) -> dict[str, Any]:
    """Return the table of a season as plain values; a final table shows the players' current names."""
    if season.table is None:
        return as_json(points_table(club, season))
    rows = _with_shown_evenings(season.table)
    names = dict(Player.objects.filter(pk__in=[row["player"] for row in rows]).values_list("pk", "name"))
    return {**season.table, "rows": [{**row, "name": names[row["player"]]} for row in rows]}


def without_names(table: PointsTable) -> dict[str, object]:
    """Return a table as it is stored: players by id without names, so that no name outlives its account."""
    plain = as_json(table)
    rows: Any = plain["rows"]
    return {**plain, "rows": [{name: value for name, value in row.items() if name != "name"} for row in rows]}


def _with_shown_evenings(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a stored table with only the evenings it shows; older seasons stored all of them."""
    shown = set(table["evenings"])
    return [
        {**row, "evenings": {day: points for day, points in row["evenings"].items() if day in shown}}
        for row in table["rows"]
    ]


# A seat belongs to the member with the player's account; else to the member added by that name; else, while nobody has
# claimed the player, to the member whose account has that name. Anybody else gets a number below zero.
_TABLES = """
SELECT seats, count(*)
FROM (SELECT string_agg(
          coalesce(member.id, -seat.player)::text, ',' ORDER BY coalesce(member.id, -seat.player)
      ) AS seats
      FROM ({events}) AS seat (game, player, name, account)
      LEFT JOIN LATERAL (
          SELECT one.id FROM games_clubmember AS one
          WHERE one.club_id = %s AND (one.account_id = seat.account
              OR one.name = seat.name AND (one.account_id IS NULL OR seat.account IS NULL))
          ORDER BY coalesce(one.account_id = seat.account, false) DESC, one.account_id NULLS FIRST LIMIT 1
      ) AS member ON true
      GROUP BY seat.game) AS played
WHERE seats = ANY(%s) GROUP BY seats
"""


def games_at(club: Club, season: Season, tables: Iterable[Collection[int]]) -> Counter[frozenset[int]]:
    """Return how many games of a season each table of members has played, counted by the database."""
    keys = {",".join(map(str, sorted(table))): frozenset(table) for table in tables}
    events = _events(club, season).order_by().values_list("game", "player", "player__name", "player__account")
    statement, params = events.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_TABLES.format(events=statement), [*params, club.pk, list(keys)])
        return Counter({keys[seats]: count for seats, count in cursor.fetchall()})


def _table(sums: list[_Sum], played: dict[Days, int]) -> PointsTable:
    rows = _rows(sums)
    days = sorted(one.first for one in played if one.only)
    if len(days) > 1:
        before = {who: row.place for who, row in _rows([one for one in sums if one.days.only != days[-1]]).items()}
        for who, row in rows.items():
            row.climbed = before[who] - row.place if who in before else 0
    return PointsTable(tuple(days[-EVENINGS:]), tuple(rows.values()), sum(played.values()))


def _events(club: Club, season: Season | None) -> Any:  # noqa: ANN401 (a queryset with `first` and `last`, which its type does not know)
    """Return who took which place in a club's games, with the first and the last possible day of each, for the club."""
    events = RatingEvent.objects.filter(holding(), ladder__club=club.pk, counts=True)
    uploaded = TruncDate("game__received_at", tzinfo=club.zone)
    events = events.annotate(
        first=Coalesce(_day_at_table(club), "game__played_from", uploaded),
        last=Coalesce(_day_at_table(club), "game__played_until", uploaded),
    )
    return events.filter(first__gte=season.begins, last__lte=season.ends) if season else events


def _day_at_table(club: Club) -> Any:  # noqa: ANN401 (an expression)
    """Return the club's day on which a game at a table of this site began, whose record says the day in UTC."""
    here = tables_of("game").annotate(day=TruncDate("begun_at", tzinfo=club.zone))
    return Subquery(here.values("day")[:1])


def _games_by_days(club: Club, season: Season | None) -> dict[Days, int]:
    """Return how many games have each date, newest first."""
    days = _events(club, season).order_by().values("first", "last").annotate(games=Count("game", distinct=True))
    found = days.order_by("-first", "-last").values_list("first", "last", "games")
    return {Days(first, last): games for first, last, games in found}


# The players behind somebody are all seats minus those with an equal or better place.
_SUMS = """
SELECT player, name, account, first, last, sum(2 * (seats - upto) + level - 1), count(*),
       count(*) FILTER (WHERE place = 1), count(*) FILTER (WHERE place = 2), count(*) FILTER (WHERE place = 3),
       count(*) FILTER (WHERE place > 3)
FROM (SELECT seat.*, count(*) OVER (PARTITION BY game) AS seats, count(*) OVER (PARTITION BY game, place) AS level,
             count(*) OVER (PARTITION BY game ORDER BY place RANGE UNBOUNDED PRECEDING) AS upto
      FROM ({events}) AS seat (game, player, name, account, first, last, place)) AS counted
GROUP BY player, name, account, first, last ORDER BY player, first, last
"""


def _sums(events: Any) -> list[_Sum]:  # noqa: ANN401 (as `_events`)
    """Return each player's points in the games of each date, added up by the database."""
    seats = events.order_by().values_list("game", "player", "player__name", "player__account", "first", "last", "place")
    statement, params = seats.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_SUMS.format(events=statement), params)
        return [
            _Sum(player, name, account, Days(first, last), int(halves), games, tuple(places))
            for player, name, account, first, last, halves, games, *places in cursor.fetchall()
        ]


def _rows(sums: Iterable[_Sum]) -> "dict[tuple[int | None, int], PointsRow]":
    """Return a row for each person, by points, then by fewer games; equal rows share a place.

    An account's row has the name under which it was first uploaded.
    """
    rows: dict[tuple[int | None, int], PointsRow] = {}
    for one in sums:
        row = rows.setdefault(one.person, PointsRow(one.player, one.name, one.account))
        if day := one.days.only:
            row.evenings[day] = row.evenings.get(day, 0) + one.halves
        row.halves += one.halves
        row.games += one.games
        row.places = [sum(both) for both in zip(row.places, one.places, strict=True)]
    ordered = sorted(rows.items(), key=lambda each: (-each[1].halves, each[1].games, each[1].name, each[1].player))
    for number, (_, row) in enumerate(ordered):
        above = ordered[number - 1][1] if number else None
        same = above is not None and (above.halves, above.games) == (row.halves, row.games)
        row.place = above.place if above and same else number + 1
    return dict(ordered)


def in_points(halves: int) -> str:
    """Return points as text, like 5½."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


def as_json(table: PointsTable) -> dict[str, object]:
    """Return a table as plain values, as in the export."""
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
                "evenings": {day.isoformat(): row.evenings[day] / 2 for day in table.evenings if day in row.evenings},
            }
            for row in table.rows
        ],
    }


def name_of(member: ClubMember) -> str:
    """Return a member's name: that of the account, or the one under which they were added."""
    return member.account.get_username() if member.account else member.name
