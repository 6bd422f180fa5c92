"""Reading what belongs to an account."""

from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db.models import Count, QuerySet
from knox.models import AuthToken

from games.models import Upload


@dataclass(frozen=True, slots=True)
class Factors:
    """An account's ways to sign in besides a password."""

    app: bool
    keys: int


def factors_of(user: User) -> Factors:
    """Return how an account signs in, apart from a password."""
    kinds = list(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    return Factors(Authenticator.Type.TOTP in kinds, kinds.count(Authenticator.Type.WEBAUTHN))


def primary_address(user: User) -> str:
    """Return an account's main e-mail address; empty without one."""
    return EmailAddress.objects.get_primary_email(user) or user.email


def count_sessions(user: User) -> int:
    """Return in how many browsers an account is signed in."""
    return len(UserSession.objects.purge_and_list(user))


def tokens_of(user: User, *, now: datetime) -> "QuerySet[AuthToken]":
    """Return an account's tokens that are valid, newest first, with when they were last used."""
    owned = AuthToken.objects.filter(user=user, expiry__gt=now).select_related("use")
    valid: QuerySet[AuthToken] = owned.order_by("-created")
    return valid


def uploads_of(user: User) -> "QuerySet[Upload, Upload]":
    """Return an account's uploads, newest first, with the number of games in `games`."""
    return Upload.objects.filter(uploader=user).annotate(games=Count("logs")).order_by("-received_at", "-pk")
