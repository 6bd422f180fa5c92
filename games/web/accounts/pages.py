"""What an account's own pages show."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils.translation import gettext
from knox.models import AuthToken

from games.accounts.reads.accounts import count_sessions, factors_of, primary_address, tokens_of, uploads_of
from games.models import MailPreferences, TokenUse, Upload
from games.notices.reads import preferences_of
from games.players.reads.claims import players_of
from games.web.accounts.devices import device_of
from games.web.lists import Part, part_of
from games.webhooks.reads import secret_made_at

_NEWEST = 30
"""Uploads listed."""


@dataclass(frozen=True, slots=True)
class TokenShown:
    """A token; only its beginning is known."""

    digest: str
    begins: str
    made: datetime
    ends: datetime | None
    used: datetime | None
    """The hour in which it was last used."""


@dataclass(frozen=True, slots=True)
class UploadShown:
    """An upload."""

    url: str
    filename: str
    received_at: datetime
    games: int


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """How the account signs in, which mails it gets, and what it has uploaded."""

    address: str
    """The main e-mail address; empty without one."""
    mails: str
    """What it gets mails about."""
    password: bool
    app: bool
    """Whether an authenticator app is asked for a code."""
    keys: int
    """How many passkeys and security keys."""
    sessions: int
    tokens: int
    webhooks: bool
    """Whether there is a secret for them."""
    uploads: tuple[UploadShown, ...]


def settings_page(user: User, *, now: datetime) -> SettingsPage:
    """Return how the account signs in, which mails it gets, and what it has uploaded."""
    factors = factors_of(user)
    return SettingsPage(
        address=primary_address(user),
        mails=_mails(preferences_of(user.pk)),
        password=user.has_usable_password(),
        app=factors.app,
        keys=factors.keys,
        sessions=count_sessions(user),
        tokens=tokens_of(user, now=now).count(),
        webhooks=secret_made_at(user.pk) is not None,
        uploads=tuple(map(_upload, uploads_of(user)[:_NEWEST])),
    )


def _mails(preferences: MailPreferences) -> str:
    wanted = [getattr(preferences, name) for name in MailPreferences.SWITCHES]
    return (
        gettext("about everything") if all(wanted) else gettext("about some things") if any(wanted) else gettext("none")
    )


@dataclass(frozen=True, slots=True)
class DeletionPage:
    """What happens to an account's data when it is deleted."""

    name: str
    players: tuple[str, ...]
    uploads: int


def deletion_page(user: User) -> DeletionPage:
    """Return what happens to an account's data when it is deleted."""
    return DeletionPage(user.username, tuple(player.name for player in players_of(user)), uploads_of(user).count())


def tokens_shown(user: User, query: QueryDict, *, now: datetime) -> Part[TokenShown]:
    """Return some of an account's tokens, newest first."""
    return part_of("tokens", tokens_of(user, now=now), _token, query)


@dataclass(frozen=True, slots=True)
class SessionShown:
    """A browser in which the account is signed in."""

    device: str
    user_agent: str
    """What the browser calls itself."""
    created_at: datetime
    ip: str
    is_current: bool


def sessions_shown(sessions: Iterable[UserSession], query: QueryDict) -> Part[SessionShown]:
    """Return some of an account's sessions: the present one first, then the newest."""
    ordered = sorted(sessions, key=lambda one: (not one.is_current(), -one.created_at.timestamp(), -one.pk))
    return part_of("sessions", tuple(ordered), _session, query)


def _session(found: UserSession) -> SessionShown:
    return SessionShown(
        device_of(found.user_agent) or "–", found.user_agent, found.created_at, found.ip, found.is_current()
    )


def _token(token: AuthToken) -> TokenShown:
    use: TokenUse | None = getattr(token, "use", None)
    return TokenShown(token.digest, token.token_key, token.created, token.expiry, use.used_at if use else None)


def _upload(upload: Upload) -> UploadShown:
    games: int = upload.games  # type: ignore[attr-defined] # counted with the row
    return UploadShown(upload.get_absolute_url(), upload.filename, upload.received_at, games)
