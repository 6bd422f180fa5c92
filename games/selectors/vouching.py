"""Reading who vouches for whom: whether an account is known to be a person of its own.

The word of a moderator, or of whoever runs the service, makes an account known; so does that of an organiser whom a
moderator named. A player's word counts where the player is known, and for tables at which neither he sits nor anybody
else for whom he alone vouches. Nobody's word counts who depends on the one for whom it is given.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.db import connection

from games.models import Act, Claim, Vouch
from games.selectors.roles import is_moderator

_ROOTS = (Vouch.Role.MODERATOR, Vouch.Role.ORGANISER)
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
_NAMING = (Act.Kind.LEAGUE_FOUNDED, Act.Kind.ORGANISER_NAMED)


@dataclass(slots=True)
class Standing:
    """Who vouches for an account."""

    moderator: bool = False
    organisers: set[int] = field(default_factory=set)
    players: set[int] = field(default_factory=set)


def depends(account: int, on: int) -> bool:
    """Whether an account's names were vouched for by another, or by somebody who depends on that one."""
    return on in behind(account)


def behind(account: int) -> set[int]:
    """Return the accounts on whose word an account's names depend, however many lie between, and the account itself."""
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND, {"account": account})
        return {one for (one,) in cursor.fetchall()}


def is_known(account: int) -> bool:
    """Whether a moderator or an organiser vouches for an account."""
    return account in known([account])


def known(accounts: Iterable[int]) -> set[int]:
    """Those of some accounts for whom a moderator or an organiser vouches."""
    found = Vouch.objects.filter(claim__account__in=list(accounts), claim__state=Claim.State.APPROVED, role__in=_ROOTS)
    return set(found.values_list("claim__account", flat=True))


def standings_of(accounts: Iterable[int]) -> dict[int, Standing]:
    """Who vouches for each of some accounts, and may."""
    accounts = set(accounts)
    found = Vouch.objects.filter(claim__account__in=accounts, claim__state=Claim.State.APPROVED)
    rows = list(found.values_list("claim__account", "by", "role"))
    trusted = known({by for _, by, role in rows if role == Vouch.Role.PLAYER and by})
    standings = {account: Standing() for account in accounts}
    for account, by, role in rows:
        if role == Vouch.Role.MODERATOR:
            standings[account].moderator = True
        elif by and role == Vouch.Role.ORGANISER:
            standings[account].organisers.add(by)
        elif by in trusted:
            standings[account].players.add(by)
    return standings


def unvouched(table: Iterable[int], standings: Mapping[int, Standing]) -> set[int]:
    """Those who sit at a table for whom nobody independent of it vouches."""
    table = set(table)
    open_ = {one for one in table if not _stands_alone(standings[one], table)}
    left = set()
    for one in open_:
        for_others = {by for other in open_ - {one} for by in standings[other].players}
        if not standings[one].players - table - for_others:
            left.add(one)
    return left


def _stands_alone(standing: Standing, table: set[int]) -> bool:
    return standing.moderator or bool(standing.organisers - table)


def is_named_organiser(account: AbstractBaseUser) -> bool:
    """Whether an account organises a league, and a moderator, or whoever runs the service, has said so."""
    leagues = set(account.leagues.values_list("pk", flat=True)) if isinstance(account, User) else set()
    acts = Act.objects.filter(kind__in=_NAMING, params__organiser=account.pk, params__league__in=list(leagues))
    named_by = set(acts.values_list("by", flat=True)) if leagues else set()
    return None in named_by or any(map(is_moderator, User.objects.filter(pk__in=named_by - {None})))
