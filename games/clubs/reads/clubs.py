"""Reading clubs: who is in them, who may do what, and when they meet."""

from datetime import date

from django.db.models import Count, Q, QuerySet

from games.invitations.reads.tokens import digest_of
from games.models import Club, ClubLink, ClubMember, Evening, Season
from games.platform.roles import is_moderator
from games.records.reads.visibility import Viewer

_RUNS = (ClubMember.Role.OWNER, ClubMember.Role.ORGANISER)


def find_club(slug: str) -> Club:
    """Find a club by its address. :raises Club.DoesNotExist: when there is none."""
    return Club.objects.select_related("league").get(league__slug=slug)


def unlisted_clubs() -> "QuerySet[Club]":
    """Return the clubs that no moderator has reviewed yet, oldest first."""
    return Club.objects.filter(listed_at=None).select_related("league").order_by("pk")


def clubs_of(account: Viewer) -> "QuerySet[Club]":
    """Return the clubs of which an account is a member, by name."""
    return Club.objects.filter(members__account=account.pk).select_related("league").order_by("league__name", "pk")


def members_of(club: Club) -> list[ClubMember]:
    """Return a club's members: owners and organisers first, then by name."""
    ranks = {role: number for number, role in enumerate(ClubMember.Role)}
    members = club.members.select_related("account").order_by("name", "pk")
    return sorted(members, key=lambda member: ranks[ClubMember.Role(member.role)])


def member_of(club: Club, account: Viewer) -> ClubMember | None:
    """Return an account's membership in a club."""
    return club.members.filter(account=account.pk).first() if account.is_authenticated else None


def runs(club: Club, account: Viewer) -> bool:
    """Return whether an account may plan evenings, invite and add members."""
    return account.is_authenticated and club.members.filter(account=account.pk, role__in=_RUNS).exists()


def owns(club: Club, account: Viewer) -> bool:
    """Return whether an account may give roles."""
    return account.is_authenticated and club.members.filter(account=account.pk, role=ClubMember.Role.OWNER).exists()


def may_list(club: Club, account: Viewer) -> bool:
    """Return whether an account may list a club publicly: a moderator who is not a member."""
    listed = club.listed_at is not None
    return account.is_authenticated and not listed and is_moderator(account) and member_of(club, account) is None


def next_evening(club: Club, *, today: date) -> Evening | None:
    """Return the next evening that is planned."""
    return club.evenings.filter(day__gte=today).order_by("day").first()


def season_of(club: Club, *, today: date) -> Season | None:
    """Return the season that runs, or else the last one that was not closed."""
    open_seasons = club.seasons.filter(closed_at=None, begins__lte=today)
    return open_seasons.order_by("-begins", "-pk").first()


def closed_seasons(club: Club) -> list[Season]:
    """Return the seasons that are over, newest first."""
    return list(club.seasons.filter(closed_at__isnull=False).order_by("-ends", "-pk")[:20])


def find_link(token: str) -> ClubLink:
    """Find the link of a club by its token. :raises ClubLink.DoesNotExist: when there is none."""
    return ClubLink.objects.select_related("club__league", "by").get(digest=digest_of(token))


def link_of(club: Club) -> ClubLink | None:
    """Return the newest link of a club that was not revoked."""
    return club.links.filter(revoked_at=None).order_by("-pk").first()


def with_counts(clubs: "QuerySet[Club]") -> "QuerySet[Club]":
    """Return clubs, each with the number of its members in `people`."""
    return clubs.annotate(people=Count("members", filter=Q(members__isnull=False)))
