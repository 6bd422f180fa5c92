"""Leagues: whose organisers accept whole files of games for ladders of their own."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, Q

from games.models import Act, Club, ClubMember, League
from games.platform.errors import RefusedError
from games.platform.roles import is_moderator
from games.ratings.acceptance import make_records_due
from games.verification.reads import uploads_to_accept

WINDOW = 2_000
"""Records of an upload whose games are accepted in one transaction."""


MOST_ORGANISERS = 100
"""Of a league: all of them are named on its page."""


class OnOrganiser(Protocol):
    """Something that is done with an organiser."""

    def __call__(self, league: League, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
        """Do it. :raises LeagueError: when that cannot be."""


class LeagueError(RefusedError):
    """What cannot be done with a league; nothing has changed."""


@transaction.atomic
def found(
    *, slug: str, name: str, about: str, organiser: AbstractBaseUser, by: AbstractBaseUser | None = None, now: datetime
) -> League:
    """Found a league with its first organiser.

    :param by: the moderator; nobody where the operator does it.
    :raises LeagueError: when its address is another league's.
    """
    league, fresh = League.objects.get_or_create(
        slug=slug, defaults={"name": name.strip(), "about": about.strip(), "created_at": now}
    )
    if not fresh:
        raise LeagueError("slug_taken", "This address belongs to another club: {name}.", name=league.name)
    league.organisers.add(organiser.pk)
    is_looked_at = by is None or is_moderator(by)
    club = Club.objects.create(league=league, listed_at=now if is_looked_at else None)
    _enter(club, organiser, ClubMember.Role.OWNER, now)
    _note(Act.Kind.LEAGUE_FOUNDED, league, organiser, by=by, now=now)
    return league


def _enter(club: Club, account: AbstractBaseUser, role: ClubMember.Role, now: datetime) -> None:
    """Make an account a member in a role, or give the member that it is this role."""
    values = {"role": role, "name": account.get_username()[:64], "joined_at": now}
    ClubMember.objects.update_or_create(
        club=club, account_id=account.pk, defaults={"role": role}, create_defaults=values
    )


def describe(league: League, *, name: str, about: str, meets: str = "", main_ruleset: str = "") -> None:
    """Give a club another name and description; its address stays."""
    Club.objects.filter(pk=league.pk).update(meets=meets.strip(), main_ruleset=main_ruleset)
    League.objects.filter(pk=league.pk).update(name=name.strip(), about=about.strip())


@transaction.atomic
def name_organiser(league: League, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
    """Make an account an organiser. Nobody becomes one unasked: it has joined the club, or a moderator names it.

    :raises LeagueError: when it is one, or has not joined, or there are too many.
    """
    league = League.objects.select_for_update().get(pk=league.pk)
    if league.organisers.filter(pk=account.pk).exists():
        raise LeagueError("organiser", "{name} is already an organiser.", name=account.get_username())
    if league.organisers.count() >= MOST_ORGANISERS:
        raise LeagueError("too_many_organisers", "A league may have at most {most} organisers.", most=MOST_ORGANISERS)
    club = Club.objects.filter(pk=league.pk).first()
    if club and not is_moderator(by) and not club.members.filter(account=account.pk).exists():
        raise LeagueError("no_member", "{name} has to join the club first.", name=account.get_username())
    league.organisers.add(account.pk)
    if club:
        _enter(club, account, ClubMember.Role.ORGANISER, now)
    _note(Act.Kind.ORGANISER_NAMED, league, account, by=by, now=now)


def organised_alone(account: AbstractBaseUser) -> list[League]:
    """Return the leagues that would have no organiser without an account."""
    leagues = League.objects.annotate(others=Count("organisers", filter=~Q(organisers=account.pk)))
    return list(leagues.filter(organisers=account.pk, others=0).order_by("name"))


@transaction.atomic
def pass_on_clubs(account: AbstractBaseUser) -> None:
    """Have the oldest other organiser own each club that nobody else owns."""
    owned = ClubMember.objects.filter(account=account.pk, role=ClubMember.Role.OWNER).values("club")
    for league in League.objects.select_for_update(no_key=True).filter(pk__in=owned).order_by("pk"):
        others = ClubMember.objects.filter(club=league.pk, account__isnull=False).exclude(account=account.pk)
        if others.filter(role=ClubMember.Role.OWNER).exists():
            continue
        oldest = others.filter(role=ClubMember.Role.ORGANISER).order_by("joined_at", "pk").first()
        if oldest:
            ClubMember.objects.filter(pk=oldest.pk).update(role=ClubMember.Role.OWNER)


@transaction.atomic
def dismiss_organiser(league: League, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
    """Have an account organise no longer.

    :raises LeagueError: when it does not, nobody else does or would own the club, or `by` may not dismiss others.
    """
    league = League.objects.select_for_update().get(pk=league.pk)
    if not league.organisers.filter(pk=account.pk).exists():
        raise LeagueError("no_organiser", "{name} is not an organiser.", name=account.get_username())
    if league.organisers.count() == 1:
        raise LeagueError("last_organiser", "A league needs an organiser: name another one first.")
    _check_owners(league, account, by)
    league.organisers.remove(account.pk)
    ClubMember.objects.filter(club=league.pk, account=account.pk).update(role=ClubMember.Role.MEMBER)
    _note(Act.Kind.ORGANISER_DISMISSED, league, account, by=by, now=now)


def _check_owners(league: League, account: AbstractBaseUser, by: AbstractBaseUser) -> None:
    """Leave to owners, where there are some, who else organises, and the club at least one of them."""
    owners = set(
        ClubMember.objects.filter(club=league.pk, role=ClubMember.Role.OWNER).values_list("account", flat=True)
    )
    if owners and account.pk != by.pk and by.pk not in owners:
        raise LeagueError("not_owner", "Only an owner of the club can dismiss others.")
    if owners == {account.pk}:
        raise LeagueError("last_owner", "A club needs an owner: make another member one first.")


def _note(
    kind: Act.Kind, league: League, organiser: AbstractBaseUser, *, by: AbstractBaseUser | None, now: datetime
) -> None:
    params = {"league": league.pk, "organiser": organiser.pk}
    Act.objects.create(kind=kind, by_id=by.pk if by else None, at=now, params=params)


def accept_judged_uploads(*, now: datetime, has_time: Callable[[], bool]) -> None:
    """Accept the games of every upload for a league of which no record waits any more, in the order of the file.

    One upload after another; where somebody else is at it, he goes on.
    """
    while has_time() and (upload := uploads_to_accept().select_related("league").first()):
        if upload.league is None or not accept_some(upload.league, now):
            return


@transaction.atomic
def accept_some(league: League, now: datetime) -> bool:
    """Accept the games of the next records of the upload that is a league's turn.

    Whoever does that holds the league, so that the games of each file follow each other in the order.

    :returns: whether nobody else was at it.
    """
    if not League.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=league.pk).exists():
        return False
    held = uploads_to_accept().filter(league=league).select_for_update(of=("self",), no_key=True).first()
    if held is None:
        return False
    after, upto = held.accepted_logs, min(held.accepted_logs + WINDOW, held.split_logs)
    make_records_due(held, league, after=after, upto=upto, now=now)
    held.accepted_logs = upto
    held.accepted_at = now if upto == held.split_logs else None
    held.save(update_fields=["accepted_logs", "accepted_at"])
    return True
