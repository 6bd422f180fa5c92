"""Reading clubs: who is in them, who may do what, and when they meet."""

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import (
    Count,
    DateField,
    DateTimeField,
    F,
    Func,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    prefetch_related_objects,
)  # fmt: skip
from django.db.models.functions import Cast, Coalesce

from engine.agn.names import name_key
from games.invitations.reads.tokens import digest_of
from games.models import Club, ClubLink, ClubMember, Evening, Player, Season
from games.platform.roles import is_moderator
from games.records.reads.visibility import Viewer

_RUNS = (ClubMember.Role.OWNER, ClubMember.Role.ORGANISER)
_ANSWERS = "attendances__member__account"


def list_clubs() -> "QuerySet[Club, Club]":
    """Return the publicly listed clubs by name; `games` is the number of games that count."""
    return with_games(Club.objects.filter(listed_at__isnull=False)).order_by("name", "pk")


def with_games(clubs: "QuerySet[Club]") -> "QuerySet[Club, Club]":
    """Return clubs; `games` is the number of games that count, `people` that of the members."""
    members = ClubMember.objects.filter(club=OuterRef("pk")).order_by().values("club").annotate(count=Count("pk"))
    people = Coalesce(Subquery(members.values("count")), 0)
    return clubs.annotate(games=Sum("ladders__games", default=0), people=people)


def find_club(slug: str) -> Club:
    """Find a club by its address. :raises Club.DoesNotExist: when there is none."""
    return Club.objects.get(slug=slug)


def clubs_of(account: Viewer) -> "QuerySet[Club]":
    """Return the clubs of which an account is a member, by name."""
    return Club.objects.filter(members__account=account.pk).order_by("name", "pk")


def clubs_listed_for(viewer: Viewer) -> "QuerySet[Club]":
    """Return the publicly listed clubs, and those of which the viewer is a member, by name."""
    listed = Q(listed_at__isnull=False)
    seen = listed | Q(pk__in=clubs_of(viewer).values("pk")) if viewer.is_authenticated else listed
    return Club.objects.filter(seen).order_by("name", "pk")


def with_next_days(clubs: "QuerySet[Club]", *, now: datetime) -> "QuerySet[Club]":
    """Add to clubs when their next planned evening is, as `next_day`: each has its own day."""
    there = Func(F("time_zone"), Value(now), function="timezone", output_field=DateTimeField())
    today = Cast(there, DateField())
    return clubs.annotate(next_day=Min("evenings__day", filter=Q(evenings__day__gte=today)))


def clubs_visible_to(account: Viewer) -> "QuerySet[Club]":
    """Return the clubs that an account may see named on other people's pages: listed ones and its own."""
    wanted = Q(listed_at__isnull=False)
    if account.is_authenticated:
        wanted |= Q(pk__in=ClubMember.objects.filter(account=account.pk).values("club"))
    return Club.objects.filter(wanted)


def organised_by(account: Viewer) -> "QuerySet[Club]":
    """Return the clubs that an account organises."""
    return Club.objects.filter(organisers=account.pk).order_by("name", "pk")


def organises(account: Viewer, club: Club) -> bool:
    """Return whether an account accepts games for a club."""
    return account.pk is not None and club.organisers.filter(pk=account.pk).exists()


def may_run(account: Viewer, club: Club) -> bool:
    """Return whether an account may change a club's description and organisers."""
    return organises(account, club) or is_moderator(account)


def removable_organisers(club: Club, by: Viewer) -> list[str]:
    """Return the names of the organisers whom an account may remove: itself, and for owners the others too."""
    organisers, owners = organisers_of(club), owners_of(club)
    if len(organisers) == 1:
        return []
    everybody = not owners or by.pk in owners
    return [one.get_username() for one in organisers if (everybody or one.pk == by.pk) and owners != {one.pk}]


def owners_of(club: Club) -> set[int | None]:
    """Return the accounts that own a club."""
    return set(club.members.filter(role=ClubMember.Role.OWNER).values_list("account", flat=True))


def organisers_of(club: Club) -> list[AbstractBaseUser]:
    """Return the accounts that accept games for a club, by name."""
    return list(club.organisers.order_by("username"))


def find_account(name: str) -> AbstractBaseUser | None:
    """Return the account with a name, however it is typed, if there is one."""
    return get_user_model().objects.filter(username=name_key(name), is_active=True).first()


def members_of(club: Club) -> list[ClubMember]:
    """Return a club's members: owners and organisers first, then by name."""
    ranks = {role: number for number, role in enumerate(ClubMember.Role)}
    members = club.members.select_related("account").order_by("name", "pk")
    return sorted(members, key=lambda member: ranks[ClubMember.Role(member.role)])


def member_of(club: Club, account: Viewer) -> ClubMember | None:
    """Return an account's membership in a club."""
    return club.members.filter(account=account.pk).first() if account.is_authenticated else None


def runs(club: Club, account: Viewer) -> bool:
    """Return whether an account may plan evenings, and invite and add members."""
    return account.is_authenticated and club.members.filter(account=account.pk, role__in=_RUNS).exists()


def owns(club: Club, account: Viewer) -> bool:
    """Return whether an account may give roles."""
    return account.is_authenticated and club.members.filter(account=account.pk, role=ClubMember.Role.OWNER).exists()


def may_review(club: Club, account: Viewer) -> bool:
    """Return whether an account may decide whether a club is listed: a moderator outside the club."""
    if not (account.is_authenticated and is_moderator(account)):
        return False
    return member_of(club, account) is None and not organises(account, club)


def texts_version(club: Club) -> str:
    """Return a digest of the texts that a moderator reviews, so that a decision can say which ones were read."""
    return sha256(json.dumps([club.name, club.about, club.meets]).encode()).hexdigest()[:16]


def clubs_to_review(account: Viewer) -> "QuerySet[Club]":
    """Return the clubs that wait for review, oldest first; none for accounts that are not moderators."""
    if not is_moderator(account):
        return Club.objects.none()
    waiting = Club.objects.filter(listed_at=None, unlisted_for="")
    waiting = waiting.exclude(members__account=account.pk).exclude(organisers=account.pk)
    return waiting.order_by("created_at", "pk")


def next_evening(club: Club, *, today: date) -> Evening | None:
    """Return the next planned evening."""
    return club.evenings.filter(day__gte=today).order_by("day").first()


def planned_evenings(club: Club, *, today: date) -> "QuerySet[Evening]":
    """Return the planned evenings with their answers, the next one first."""
    evenings = club.evenings.filter(day__gte=today).order_by("day")
    return evenings.select_related("club").prefetch_related(_ANSWERS)


def with_answers(evening: Evening) -> Evening:
    """Return an evening with its answers, in a fixed number of statements."""
    prefetch_related_objects([evening], _ANSWERS)
    return evening


def answers_for(club: Club, account: Viewer) -> list[ClubMember]:
    """Return the members for whom an account can answer: itself and, for organisers, members without an account."""
    mine = member_of(club, account)
    members = members_of(club) if runs(club, account) else [mine] if mine else []
    return [member for member in members if member.account_id in (None, account.pk)]


def season_of(club: Club, *, today: date) -> Season | None:
    """Return the current season, or else the last one that was not closed."""
    open_seasons = club.seasons.filter(closed_at=None, begins__lte=today)
    return open_seasons.order_by("-begins", "-pk").first()


def closed_seasons(club: Club) -> list[Season]:
    """Return the closed seasons, newest first."""
    return list(club.seasons.filter(closed_at__isnull=False).order_by("-ends", "-pk")[:20])


def possible_matches(members: Sequence[ClubMember]) -> dict[int, list[ClubMember]]:
    """Return, for each member known by name only, the members with an account who use that name and may be the same."""
    named = {member.name.casefold(): member.pk for member in members if member.account_id is None}
    accounts = {member.account_id: member for member in members if member.account} if named else {}
    names = [(pk, member.account.get_username()) for pk, member in accounts.items() if member.account]
    names += Player.objects.filter(account__in=accounts).values_list("account", "name") if accounts else ()
    same = defaultdict[int, list[ClubMember]](list)
    for account, name in sorted(set(names)):
        pk, member = named.get(name_key(name).casefold()), accounts[account]
        if pk and member not in same[pk]:
            same[pk].append(member)
    return same


def find_link(token: str) -> ClubLink:
    """Find the link of a club by its token. :raises ClubLink.DoesNotExist: when there is none."""
    return ClubLink.objects.select_related("club", "by", "member").get(digest=digest_of(token))


def link_of(club: Club) -> ClubLink | None:
    """Return a club's newest link that anyone can use and that was not revoked."""
    return club.links.filter(member=None, revoked_at=None).order_by("-pk").first()


def links_of_names(club: Club, now: datetime) -> dict[int, ClubLink]:
    """Return the valid links for members known by name only, by the member's id."""
    links = club.links.filter(member__isnull=False, revoked_at=None, expires_at__gt=now)
    return {link.member_id: link for link in links if link.member_id}
