"""Running a club: founding it, its members and their roles, its evenings and its seasons."""

from datetime import date, datetime, time, timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from engine.agn.names import name_key
from games.clubs import organising
from games.clubs.announcing import announce_evening, announce_table
from games.clubs.errors import ClubError
from games.clubs.locking import locked_club, locked_member, locked_season
from games.clubs.organising import check_runs, one_line
from games.clubs.reads.clubs import owns, runs
from games.clubs.reads.points import points_table, without_names
from games.invitations.reads.tokens import digest_of, new_nonce, token_from
from games.models import Attendance, Club, ClubLink, ClubMember, Evening, Season
from games.platform.time_zones import UTC_ZONE

LINK_LIVES = timedelta(days=14)
MOST_MEMBERS = 500
MOST_LETTERS = 64
"""Of a member's name."""
MOST_CLUBS = 5
"""Clubs that an account owns."""
MOST_EVENINGS = 200
"""Planned by a club, from a year ago on."""
MOST_SEASONS = 100
_AHEAD = timedelta(days=5 * 366)
"""How far ahead an evening is planned at most."""
_BACK = timedelta(days=366)
"""How long ago an evening may have been that is entered afterwards."""
_RUNNING = (ClubMember.Role.OWNER, ClubMember.Role.ORGANISER)


@transaction.atomic
def found(  # noqa: PLR0913 (what a club is)
    *,
    slug: str,
    name: str,
    meets: str,
    main_ruleset: str,
    time_zone: str = "",
    by: AbstractBaseUser,
    now: datetime,
) -> Club:
    """Found a club and make a link for joining it. It works at once, and is listed once a moderator has reviewed it.

    :param time_zone: its name by IANA; empty for UTC.
    :raises ClubError: when the address is taken, or the account owns too many clubs.
    """
    get_user_model().objects.select_for_update(no_key=True).get(pk=by.pk)  # one at a time, for the limit
    if ClubMember.objects.filter(account_id=by.pk, role=ClubMember.Role.OWNER).count() >= MOST_CLUBS:
        raise ClubError("too_many_clubs", "You can own at most {most} clubs.", most=MOST_CLUBS)
    club = organising.found(slug=slug, name=name, about="", organiser=by, by=by, now=now)
    club.meets, club.main_ruleset, club.time_zone = one_line(meets, "meets", 120), main_ruleset, time_zone or UTC_ZONE
    club.save(update_fields=["meets", "main_ruleset", "time_zone"])
    make_link(club, by=by, now=now)
    return club


@transaction.atomic
def make_link(club: Club, *, by: AbstractBaseUser, now: datetime, member: ClubMember | None = None) -> ClubLink:
    """Make a new link for joining; the earlier one stops working.

    :param member: a member added by name; the first account to join by this link becomes that member.
    :raises ClubError: when `by` does not run the club, or that member already has an account.
    """
    club = locked_club(club.pk)
    check_runs(club, by)
    named = locked_member(club, member) if member else None
    if named and named.account_id is not None:
        raise ClubError("has_account", "{name} already has an account.", name=named.name)
    club.links.filter(member=named, revoked_at=None).update(revoked_at=now)
    nonce = new_nonce()
    return ClubLink.objects.create(
        club=club, member=named, by_id=by.pk, nonce=nonce, digest=digest_of(token_from(nonce)), made_at=now,
        expires_at=now + LINK_LIVES,
    )  # fmt: skip


@transaction.atomic
def join(link: ClubLink, account: AbstractBaseUser, *, now: datetime) -> ClubMember:
    """Join by a link; members keep their role. To become a member added by name takes a link made for that member.

    :raises ClubError: when the link has expired, the club is full, or a member opens somebody else's link.
    """
    club = locked_club(link.club_id)
    here = club.members.filter(account=account.pk).first()
    if here and link.member_id is None:
        return here
    held = club.links.filter(pk=link.pk, revoked_at=None, expires_at__gt=now).select_related("member").first()
    if held is None:
        raise ClubError("link_ended", "This link no longer works. Ask an organiser for a new one.")
    if held.member is None:
        _check_room(club)
        name = name_key(account.get_username()[:MOST_LETTERS])
        return ClubMember.objects.create(club=club, account_id=account.pk, name=name, joined_at=now)
    if here:
        raise ClubError(
            "in_already",
            "You are already a member. An organiser can confirm that you are {name}.",
            name=held.member.name,
        )
    club.links.filter(pk=held.pk).update(revoked_at=now)
    ClubMember.objects.filter(pk=held.member.pk).update(account=account.pk)
    return ClubMember.objects.get(pk=held.member.pk)


def _check_room(club: Club) -> None:
    if club.members.count() >= MOST_MEMBERS:
        raise ClubError("too_many_members", "A club may have at most {most} members.", most=MOST_MEMBERS)


@transaction.atomic
def add_by_name(club: Club, name: str, *, by: AbstractBaseUser, now: datetime) -> ClubMember:
    """Add somebody without an account. :raises ClubError: when they are a member, or `by` does not run the club."""
    club = locked_club(club.pk)
    check_runs(club, by)
    _check_room(club)
    name = one_line(name, "name")
    if not name:
        raise ClubError("no_name", "Enter the name as it appears in your logs.")
    if len(name) > MOST_LETTERS:
        raise ClubError("long_name", "A name may have at most {most} characters.", most=MOST_LETTERS)
    if club.members.filter(name__iexact=name).exists():
        raise ClubError("member", "{name} is already a member.", name=name)
    return ClubMember.objects.create(club=club, name=name, joined_at=now)


@transaction.atomic
def give_role(member: ClubMember, role: ClubMember.Role, *, by: AbstractBaseUser, now: datetime) -> None:
    """Make a member an owner, an organiser, or a plain member.

    :raises ClubError: when `by` is not an owner, or no owner would be left.
    """
    club = locked_club(member.club_id)
    member = locked_member(club, member)
    if not owns(club, by):
        raise ClubError("not_owner", "Only an owner of the club can give roles.")
    if member.account is None:
        raise ClubError("no_account", "{name} has no account yet.", name=member.name)
    _check_last_owner(club, member, leaving=role != ClubMember.Role.OWNER)
    _sync_role(club, member, role, by, now)
    ClubMember.objects.filter(pk=member.pk).update(role=role)


def _check_last_owner(club: Club, member: ClubMember, *, leaving: bool) -> None:
    others = club.members.filter(role=ClubMember.Role.OWNER).exclude(pk=member.pk)
    if leaving and member.role == ClubMember.Role.OWNER and not others.exists():
        raise ClubError("last_owner", "A club needs an owner: make another member one first.")


def _sync_role(
    club: Club, member: ClubMember, role: ClubMember.Role | None, by: AbstractBaseUser, now: datetime
) -> None:
    """Allow a member to accept games for the club's ladders exactly if their role is owner or organiser."""
    assert member.account  # noqa: S101 - for the types
    accepts = club.organisers.filter(pk=member.account.pk).exists()
    if role in _RUNNING and not accepts:
        organising.name_organiser(club, member.account, by=by, now=now)
    elif role not in _RUNNING and accepts:
        organising.dismiss_organiser(club, member.account, by=by, now=now)


@transaction.atomic
def remove(member: ClubMember, *, by: AbstractBaseUser, now: datetime) -> None:
    """Remove a member, or leave the club. Games and points stay.

    :raises ClubError: when `by` may not do this, or no owner would be left.
    """
    club = locked_club(member.club_id)
    member = locked_member(club, member)
    own = member.account_id == by.pk
    if not own and not (owns(club, by) if member.role != ClubMember.Role.MEMBER else runs(club, by)):
        raise ClubError("not_organiser", "Only owners and organisers of the club can do this.")
    _check_last_owner(club, member, leaving=True)
    if member.account:
        _sync_role(club, member, None, by, now)
    member.delete()


@transaction.atomic
def plan(club: Club, day: date, *, begins: time | None, place: str, by: AbstractBaseUser, now: datetime) -> Evening:
    """Plan an evening.

    :raises ClubError: when that day already has one, too many are planned, or `by` does not run the club.
    """
    club = locked_club(club.pk)
    check_runs(club, by)
    today = club.day(now)
    if day > today + _AHEAD:
        raise ClubError("too_far_ahead", "An evening can be planned at most five years ahead.")
    if day < today - _BACK:
        raise ClubError("too_long_ago", "An evening can be entered at most a year afterwards.")
    if club.evenings.filter(day__gte=today - _BACK).count() >= MOST_EVENINGS:
        raise ClubError("too_many_evenings", "A club may have at most {most} planned evenings.", most=MOST_EVENINGS)
    try:
        with transaction.atomic():
            evening = Evening.objects.create(club=club, day=day, begins=begins, place=one_line(place, "place", 120))
    except IntegrityError:
        raise ClubError("planned", "An evening is already planned for this day.") from None
    if day >= today:
        announce_evening(evening, now=now)
    return evening


@transaction.atomic
def cancel(evening: Evening, *, by: AbstractBaseUser) -> None:
    """Cancel an evening; games of that day stay. :raises ClubError: when `by` does not run the club."""
    check_runs(locked_club(evening.club_id), by)
    Evening.objects.filter(pk=evening.pk).delete()


@transaction.atomic
def answer(evening: Evening, member: ClubMember, given: Attendance.Answer, *, by: AbstractBaseUser) -> None:
    """Store whether a member is coming; organisers answer for members without an account.

    :raises ClubError: when `by` may not answer for that member, the member has left, or the evening was cancelled.
    """
    club = locked_club(evening.club_id)
    member = locked_member(club, member)
    if member.account_id != by.pk and not (member.account_id is None and runs(club, by)):
        raise ClubError("not_yours", "Only {name} can answer this.", name=member.name)
    if not club.evenings.filter(pk=evening.pk).exists():
        raise ClubError("cancelled", "This evening was cancelled.")
    Attendance.objects.update_or_create(evening=evening, member=member, defaults={"answer": given})


@transaction.atomic
def begin_season(club: Club, *, name: str, begins: date, ends: date, by: AbstractBaseUser) -> Season:
    """Begin a season. :raises ClubError: when another one is still open, or the end is before the beginning."""
    club = locked_club(club.pk)
    check_runs(club, by)
    if ends < begins:
        raise ClubError("ends_before", "A season cannot end before it begins.")
    if club.seasons.count() >= MOST_SEASONS:
        raise ClubError("too_many_seasons", "A club may have at most {most} seasons.", most=MOST_SEASONS)
    if club.seasons.filter(closed_at=None).exists():
        raise ClubError("season_open", "Close the current season first.")
    name = one_line(name, "name", 60) or str(begins.year)
    return Season.objects.create(club=club, name=name, begins=begins, ends=ends)


@transaction.atomic
def close_season(season: Season, *, by: AbstractBaseUser, now: datetime) -> Season:
    """Close a season and keep its table as it is now. :raises ClubError: when it is already closed."""
    club = locked_club(season.club_id)
    check_runs(club, by)
    held = locked_season(club, season)
    held.table, held.closed_at = without_names(points_table(club, held)), now
    held.save(update_fields=["table", "closed_at"])
    announce_table(held, now=now)
    return held
