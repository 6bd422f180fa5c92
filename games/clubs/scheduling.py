"""The schedule of a season: a round-robin drawn all at once, or Swiss rounds drawn one at a time."""

from datetime import datetime
from typing import Any, Literal, get_args

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.clubs.errors import ClubError
from games.clubs.locking import locked_club, locked_season
from games.clubs.organising import check_runs
from games.clubs.reads.clubs import members_of
from games.clubs.reads.pairings import SEATS, Round, round_robin, swiss_round
from games.clubs.reads.schedules import members_by_points, rounds_of
from games.models import Season

Kind = Literal["round-robin", "swiss"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_PLAYERS = 64
"""In a schedule."""
MOST_ROUNDS = 100


@transaction.atomic
def draw(season: Season, kind: Kind, seats: int, *, by: AbstractBaseUser, now: datetime) -> Season:
    """Draw the schedule of a season for all members: every round of a round-robin, or the first Swiss round.

    :raises ClubError: when there is a schedule already, too few or too many take part, or `by` does not run the club.
    """
    held = _open(season, by)
    if held.schedule is not None:
        raise ClubError("scheduled", "This season has a schedule already. Remove it first.")
    if seats not in SEATS:
        raise ClubError("seats", "A table has two, three or four seats.")
    players = [member.pk for member in members_of(held.club)]
    if not 2 <= len(players) <= MOST_PLAYERS:  # noqa: PLR2004 (at least two to a table)
        raise ClubError("players", "A schedule is for 2 to {most} members.", most=MOST_PLAYERS)
    held.schedule = {"kind": kind, "seats": seats, "rounds": []}
    if kind == "round-robin":
        return _add(held, *round_robin(players, seats))
    return _add(held, swiss_round(members_by_points(held, today=held.club.day(now)), [], seats))


@transaction.atomic
def draw_round(season: Season, *, by: AbstractBaseUser, now: datetime) -> Season:
    """Draw the next Swiss round, for all members except those who cannot come to the next evening.

    :raises ClubError: when the season has no Swiss schedule, or `by` does not run the club.
    """
    held = _open(season, by)
    schedule = held.schedule or {}
    if schedule.get("kind") != "swiss":
        raise ClubError("no_swiss", "This season has no Swiss schedule.")
    if len(schedule["rounds"]) >= MOST_ROUNDS:
        raise ClubError("too_many_rounds", "A schedule may have at most {most} rounds.", most=MOST_ROUNDS)
    players = members_by_points(held, today=held.club.day(now))
    if not 2 <= len(players) <= MOST_PLAYERS:  # noqa: PLR2004 (at least two to a table)
        raise ClubError("players", "A schedule is for 2 to {most} members.", most=MOST_PLAYERS)
    return _add(held, swiss_round(players, rounds_of(held), schedule["seats"]))


@transaction.atomic
def drop(season: Season, *, by: AbstractBaseUser) -> Season:
    """Remove the schedule of a season; games stay. :raises ClubError: when `by` does not run the club."""
    held = _open(season, by)
    held.schedule = None
    held.save(update_fields=["schedule"])
    return held


def _open(season: Season, by: AbstractBaseUser) -> Season:
    club = locked_club(season.club_id)
    check_runs(club, by)
    return locked_season(club, season)


def _add(season: Season, *rounds: Round) -> Season:
    schedule: Any = season.schedule
    schedule["rounds"] += [{"tables": one.tables, "byes": one.byes} for one in rounds]
    season.save(update_fields=["schedule"])
    return season
