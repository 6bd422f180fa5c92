"""Members known by name only: which accounts they turn out to be, and what happens to their names.

A name alone proves nothing, because anybody can register it. An organiser confirms whose it is, or makes a link for it.
"""

from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower

from engine.agn.names import name_key
from games.clubs.errors import ClubError
from games.clubs.locking import locked_club, locked_member
from games.clubs.organising import check_runs
from games.models import Attendance, Club, ClubMember, Player, Standing


@transaction.atomic
def confirm_same(named: ClubMember, member: ClubMember, *, by: AbstractBaseUser) -> ClubMember:
    """Confirm, as an organiser, that a member added by name and a member with an account are the same person.

    The answers to evenings and places in schedules move to the member with an account.

    :raises ClubError: when `by` does not run the club, one of them has left, or not exactly the second has an account.
    """
    club = locked_club(named.club_id)
    check_runs(club, by)
    named, member = locked_member(club, named), locked_member(club, member)
    if named.account_id is not None:
        raise ClubError("has_account", "{name} already has an account.", name=named.name)
    if member.account_id is None:
        raise ClubError("no_account", "{name} has no account yet.", name=member.name)
    answered = Attendance.objects.filter(member=member).values("evening")
    Attendance.objects.filter(member=named).exclude(evening__in=answered).update(member=member)
    _replace_in_schedules(club, named.pk, member.pk)
    member.name, member.joined_at = named.name, min(named.joined_at, member.joined_at)
    member.save(update_fields=["name", "joined_at"])
    named.delete()
    return member


def _replace_in_schedules(club: Club, old: int, new: int) -> None:
    """Replace a member in the schedules of a club, except where both of them were drawn."""
    for season in club.seasons.select_for_update(no_key=True).filter(schedule__isnull=False):
        rounds = season.schedule["rounds"] if season.schedule else []
        drawn = {seat for one in rounds for table in (*one["tables"], one["byes"]) for seat in table}
        if new in drawn:
            continue
        for one in rounds:
            one["tables"] = [[new if seat == old else seat for seat in table] for table in one["tables"]]
            one["byes"] = [new if seat == old else seat for seat in one["byes"]]
        season.save(update_fields=["schedule"])


def rename_members(account: AbstractBaseUser, players: Mapping[Player, str], instead: str) -> None:
    """Replace the names of a departing account where a club has them as members without an account.

    A player's name is replaced in every club whose games have no other player of that name. The account's own name is
    replaced only in its own clubs: otherwise anybody could take the name of another club's member and leave again.

    :param players: the account's players, each with its replacement name.
    :param instead: the replacement for the account's own name.
    """
    becomes = {account.get_username().lower(): instead} | {
        name_key(one.name).lower(): new for one, new in players.items()
    }
    others = Standing.objects.filter(ladder__club=OuterRef("club"), player__name__iexact=OuterRef("name"))
    of_player = Q(low__in=[name_key(one.name).lower() for one in players]) & ~Exists(
        others.exclude(player__in=list(players))
    )
    of_account = Q(low=account.get_username().lower(), club__members__account=account.pk)
    named = ClubMember.objects.annotate(low=Lower("name")).filter(of_player | of_account, account=None)
    for member in ClubMember.objects.filter(pk__in=named.values("pk")).select_for_update(no_key=True).order_by("pk"):
        member.name = becomes[member.name.lower()]
        member.save(update_fields=["name"])
