"""What a stream was opened with, a token or a session, as text; and whether that is still valid."""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils.crypto import constant_time_compare
from knox.models import AuthToken

_TOKEN, _SESSION = "token:", "session:"


def of_token(token: AuthToken) -> str:
    """Return how a token is named here: by its digest."""
    return f"{_TOKEN}{token.digest}"


def of_session(key: str) -> str:
    """Return how a session is named here."""
    return f"{_SESSION}{key}"


def still_valid(credentials: Collection[str], *, now: datetime) -> set[str]:
    """Return those that are valid: not revoked, expired or signed out, of an account that exists and may sign in."""
    digests, keys = _of_kind(_TOKEN, credentials), _of_kind(_SESSION, credentials)
    unexpired = Q(expiry=None) | Q(expiry__gt=now)
    tokens = AuthToken.objects.filter(unexpired, digest__in=digests, user__is_active=True) if digests else ()
    return {of_token(token) for token in tokens} | {of_session(key) for key in _valid_sessions(keys, now)}


def _of_kind(kind: str, credentials: Collection[str]) -> list[str]:
    return [one.removeprefix(kind) for one in credentials if one.startswith(kind)]


def _valid_sessions(keys: Collection[str], now: datetime) -> list[str]:
    """Return the sessions in which somebody is signed in, by the password that the account has now."""
    found = Session.objects.filter(session_key__in=keys, expire_date__gt=now) if keys else ()
    data = {one.session_key: one.get_decoded() for one in found}
    accounts = {one[SESSION_KEY] for one in data.values() if SESSION_KEY in one}
    users = {str(user.pk): user for user in User.objects.filter(pk__in=accounts, is_active=True)} if accounts else {}
    return [key for key, one in data.items() if _is_of(users.get(one.get(SESSION_KEY, "")), one)]


def _is_of(user: User | None, data: dict[str, str]) -> bool:
    if user is None or BACKEND_SESSION_KEY not in data:
        return False
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(data.get(HASH_SESSION_KEY, ""), one) for one in hashes)
