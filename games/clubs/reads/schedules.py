"""Reading schedules: the rounds of a season, who sits where, and what was played."""

from dataclasses import dataclass
from datetime import date

from games.clubs.reads.clubs import members_of, next_evening
from games.clubs.reads.pairings import Round
from games.clubs.reads.points import games_at, name_of, points_table
from games.models import Attendance, ClubMember, Season


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of a round."""

    members: tuple[int, ...]
    names: tuple[str, ...]
    """Empty for somebody who has left the club."""
    played: bool
    """Whether a game of the season has exactly these players; one game for each time they meet."""


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round."""

    number: int
    tables: tuple[TableShown, ...]
    byes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The schedule of a season."""

    kind: str
    seats: int
    rounds: tuple[RoundShown, ...]


def rounds_of(season: Season) -> list[Round]:
    """Return the rounds of a season's schedule as they were drawn."""
    rounds = season.schedule["rounds"] if season.schedule else []
    return [Round(tuple(map(tuple, one["tables"])), tuple(one["byes"])) for one in rounds]


def schedule_of(season: Season) -> Schedule | None:
    """Return the schedule of a season with the tables that were played, if it has one."""
    if season.schedule is None:
        return None
    members = {member.pk: member for member in members_of(season.club)}
    rounds = rounds_of(season)
    games = games_at(season.club, season, {table for one in rounds for table in one.tables})

    def table(seated: tuple[int, ...]) -> TableShown:
        games[frozenset(seated)] -= 1
        return TableShown(seated, tuple(map(name, seated)), games[frozenset(seated)] >= 0)

    def name(number: int) -> str:
        return name_of(members[number]) if number in members else ""

    shown = tuple(
        RoundShown(number, tuple(map(table, one.tables)), tuple(map(name, one.byes)))
        for number, one in enumerate(rounds, 1)
    )
    return Schedule(season.schedule["kind"], season.schedule["seats"], shown)


def members_by_points(season: Season, *, today: date) -> list[int]:
    """Return the members who can come to the next evening, by the points of the season, then by name."""
    rows = points_table(season.club, season).rows
    by_account = {row.account: place for place, row in enumerate(rows) if row.account is not None}
    by_name = {row.name: place for place, row in enumerate(rows)}
    members = members_of(season.club)
    named = {member.name for member in members if member.account_id is None}

    def place(member: ClubMember) -> tuple[int, str, int]:
        is_other = member.account_id is not None and member.name in named
        of_name = len(rows) if is_other else by_name.get(member.name, len(rows))
        return (by_account.get(member.account_id or 0, of_name), name_of(member), member.pk)

    evening = next_evening(season.club, today=today)
    away = (
        set(evening.attendances.filter(answer=Attendance.Answer.NO).values_list("member", flat=True)) if evening else ()
    )
    return [member.pk for member in sorted(members, key=place) if member.pk not in away]
