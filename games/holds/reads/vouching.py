"""Reading who vouches for whom: whether a name is known to belong to a separate person.

Moderators, the operator, and organisers whom a moderator appointed can vouch for a name, which makes its account known;
at tables at which that moderator or organiser sits, this does not count. A known player can vouch for one name a table,
at tables at which neither that player sits nor the one who made the player known. Nobody can vouch for an account on
which they depend themselves. Each name of an account has to be vouched for separately. Organisers and players can vouch
for a limited number of names a month.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from games.models import Act, Claim, Vouch
from games.platform.roles import is_moderator

ORGANISER_NAMES = 30
PLAYER_NAMES = 10
"""How many names an organiser, or a player, can vouch for within thirty days; further ones need a moderator."""
_COUNTS = Q(role=Vouch.Role.MODERATOR) | Q(role=Vouch.Role.ORGANISER, by__isnull=False)
"""What makes an account known. Of an organiser whose account is gone nobody can say whether it sits at a table."""
_BEHIND = """
WITH RECURSIVE behind (account) AS (
    SELECT %(account)s::bigint
    UNION
    SELECT vouch.by_id FROM behind
    JOIN games_claim AS claim ON claim.account_id = behind.account AND claim.state = 'approved'
    JOIN games_vouch AS vouch ON vouch.claim_id = claim.id AND vouch.role <> 'moderator'
    WHERE vouch.by_id IS NOT NULL
)
SELECT account FROM behind
"""
_NAMING = (Act.Kind.CLUB_FOUNDED, Act.Kind.ORGANISER_NAMED)


@dataclass(slots=True)
class Standing:
    """Who vouches for a name, or has made an account known."""

    service: bool = False
    """Whether the operator vouches."""
    officials: set[int] = field(default_factory=set)
    """The moderators and organisers who vouch."""
    players: dict[int, "Standing"] = field(default_factory=dict)
    """Known players, with who made them known."""

    def is_independent_of(self, table: set[int]) -> bool:
        """Return whether somebody vouches who needs no voucher and does not sit at the table."""
        return self.service or bool(self.officials - table)

    def vouchers(self, table: set[int]) -> set[int]:
        """Return the players whose vouching counts at a table."""
        return {by for by, known_by in self.players.items() if by not in table and known_by.is_independent_of(table)}


def depends(account: int, on: int) -> bool:
    """Return whether an account's names were vouched for by another, or by somebody who depends on that one."""
    return on in behind(account)


def behind(account: int) -> set[int]:
    """Return an account and those on whose vouching its names depend, directly or through others."""
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND, {"account": account})
        return {one for (one,) in cursor.fetchall()}


def is_known(account: int) -> bool:
    """Return whether a moderator or an organiser vouches for an account."""
    return account in known([account])


def known(accounts: Iterable[int]) -> set[int]:
    """Return those of some accounts for whom a moderator or an organiser vouches."""
    return set(_known_by(accounts))


def _known_by(accounts: Iterable[int]) -> dict[int, Standing]:
    """Return the known accounts among some, each with who vouched for it."""
    found = _counting_vouches().filter(_COUNTS, claim__account__in=list(accounts), claim__state=Claim.State.APPROVED)
    known_by = dict[int, Standing]()
    for account, by, role in found.values_list("claim__account", "by", "role"):
        _add(known_by.setdefault(account, Standing()), by, role)
    return known_by


def _add(standing: Standing, by: int | None, role: str) -> None:
    if by and role != Vouch.Role.PLAYER:
        standing.officials.add(by)
    elif role == Vouch.Role.MODERATOR:
        standing.service = True


def _counting_vouches() -> "QuerySet[Vouch]":
    """Return the vouchings that count: for each account, only those for a limited number of names in thirty days."""
    before = Vouch.objects.filter(
        by=OuterRef("by"), role=OuterRef("role"), pk__lt=OuterRef("pk"), at__gt=OuterRef("at") - timedelta(days=30)
    ).order_by("pk")
    organisers = Q(role=Vouch.Role.ORGANISER) & Q(Exists(before[ORGANISER_NAMES - 1 : ORGANISER_NAMES]))
    players = Q(role=Vouch.Role.PLAYER) & Q(Exists(before[PLAYER_NAMES - 1 : PLAYER_NAMES]))
    return Vouch.objects.exclude(organisers | players)


def standings_of(players: Iterable[int]) -> dict[int, Standing]:
    """Return who may vouch and vouches for each name; merged players share the vouching for each name.

    :param players: the numbers under which they are rated.
    """
    standings = {player: Standing() for player in players}
    rated = Coalesce("claim__player__merged_into", "claim__player")
    holder = Coalesce("claim__player__merged_into__account", "claim__player__account")
    own = Q(claim__player__in=list(standings)) | Q(claim__player__merged_into__in=list(standings))
    # Annotated before it is filtered by: the join to a player that is merged with none stays an outer one.
    found = _counting_vouches().filter(own, claim__state=Claim.State.APPROVED).annotate(rated=rated, holder=holder)
    found = found.filter(claim__account=F("holder"))
    rows = list(found.values_list("rated", "by", "role"))
    known_by = _known_by({by for _, by, role in rows if role == Vouch.Role.PLAYER and by})
    for player, by, role in rows:
        _add(standings[player], by, role)
        if role == Vouch.Role.PLAYER and by in known_by:
            standings[player].players[by] = known_by[by]
    return standings


def unvouched(table: Mapping[int, int], standings: Mapping[int, Standing]) -> set[int]:
    """Return the players at a table for whom nobody independent of it vouches.

    A player can vouch for one name at a table: each name without a better voucher needs one of its own. If there are
    too few, every name is missing that could be the one left over.

    :param table: the accounts at the table by player.
    """
    accounts = set(table.values())
    open_ = {one for one in table if not standings[one].is_independent_of(accounts)}
    vouchers = {one: standings[one].vouchers(accounts) for one in open_}
    most = _matched(open_, vouchers)
    return {one for one in open_ if _matched(open_ - {one}, vouchers) == most}


def _matched(names: Iterable[int], vouchers: Mapping[int, set[int]]) -> int:
    """Return for how many names at most there is a separate voucher (augmenting paths)."""
    given: dict[int, int] = {}

    def find(name: int, tried: set[int]) -> bool:
        for one in vouchers[name]:
            if one not in tried:
                tried.add(one)
                if one not in given or find(given[one], tried):
                    given[one] = name
                    return True
        return False

    return sum(find(name, set()) for name in names)


def is_named_organiser(account: AbstractBaseUser) -> bool:
    """Return whether an account organises a club and was last named there by a moderator or the operator."""
    clubs = set(account.organised_clubs.values_list("pk", flat=True)) if isinstance(account, User) else set()
    acts = Act.objects.filter(kind__in=_NAMING, params__organiser=account.pk, params__club__in=list(clubs))
    last = dict(acts.order_by("pk").values_list("params__club", "by")) if clubs else {}
    named_by = set(last.values())
    return None in named_by or any(map(is_moderator, User.objects.filter(pk__in=named_by - {None})))
