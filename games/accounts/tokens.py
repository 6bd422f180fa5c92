"""API tokens of an account. Only their digests are stored."""

import re
from enum import StrEnum

from django.contrib.auth.base_user import AbstractBaseUser
from knox.models import AuthToken
from knox.settings import knox_settings


class Scope(StrEnum):
    """What a token is valid for. The token itself shows it, and it cannot be changed."""

    ALL = ""
    """All that the account may do through the API."""
    PLAY = "play"
    """Playing at tables, for bots, and nothing else."""
    MODERATE = "mod"
    """What moderators read and decide, and nothing else; good for nothing in the hands of other accounts."""


_PLACES = {
    Scope.PLAY: re.compile("/api/v1/tables|/live/"),
    Scope.MODERATE: re.compile(
        "/api/v1/(?:moderation(?:/.*)?|claims/[0-9]+(?:/decision|/vouch|/revocation)?"
        "|account/holds|holds/[0-9]+/decision|clubs/[^/]+/(?:un)?listing)$"
    ),
}
"""How the paths begin, or are, at which tokens may be used that are not good for all."""


def make_token(account: AbstractBaseUser, scope: Scope = Scope.ALL) -> str:
    """Make a token. :returns: it; it is never shown again."""
    _, token = AuthToken.objects.create(account, prefix=_prefix(scope))
    return str(token)


def revoke_token(account: AbstractBaseUser, digest: str) -> bool:
    """Revoke a token of an account. :returns: whether it had that token."""
    removed, _ = AuthToken.objects.filter(user=account, digest=digest).delete()
    return bool(removed)


def scope_of(token: AuthToken) -> Scope:
    """Return what a token is valid for: its prefix says so, and is hashed with it."""
    narrow = (scope for scope in _PLACES if token.token_key.startswith(_prefix(scope)))
    return next(narrow, Scope.ALL)


def is_good_for(token: AuthToken, path: str) -> bool:
    """Return whether a token may be used at an address."""
    scope = scope_of(token)
    return scope is Scope.ALL or _PLACES[scope].match(path) is not None


def _prefix(scope: Scope) -> str:
    prefix: str = knox_settings.TOKEN_PREFIX
    return f"{prefix}{scope}_" if scope else prefix
