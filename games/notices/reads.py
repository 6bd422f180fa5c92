"""Reading whom to notify of what, and which notices are still to be sent."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from games.models import Game, MailPreferences, Notice, Seating, Upload
from games.records.reads.games import first_uploaded_in
from games.records.reads.visibility import sees

QUIET = timedelta(minutes=10)
"""Nobody gets two mails within so long: what comes meanwhile is gathered in the next."""

Kind = Notice.Kind
_SWITCH = {
    Kind.CLAIM_MADE: "claims",
    Kind.CLAIM_DECIDED: "claims",
    Kind.CLAIM_REVOKED: "claims",
    Kind.CLAIM_CONTESTED: "claims",
    Kind.TO_CONFIRM: "confirmations",
    Kind.DISPUTE_RAISED: "disputes",
    Kind.DISPUTE_SETTLED: "disputes",
    Kind.GAME_ANNULLED: "disputes",
    Kind.GAME_RESTORED: "disputes",
    Kind.SEATING_RAISED: "disputes",
    Kind.SEATING_SETTLED: "disputes",
    Kind.YOUR_TURN: "turns",
}
"""The switch of the mail preferences that turns a kind off."""


def preferences_of(account: int) -> MailPreferences:
    """Return an account's mail preferences; by default all mails, in the site's language."""
    return MailPreferences.objects.filter(pk=account).first() or MailPreferences(account_id=account)


def wants(preferences: MailPreferences, kind: str) -> bool:
    """Return whether an account wants mails of a kind."""
    return bool(getattr(preferences, _SWITCH[Kind(kind)]))


def reached(accounts: Iterable[int | None], kind: Notice.Kind) -> list[int]:
    """Return those of some accounts that want mails of a kind and have a confirmed address."""
    here = EmailAddress.objects.filter(user=OuterRef("pk"), primary=True, verified=True)
    unwilling = MailPreferences.objects.filter(account=OuterRef("pk"), **{_SWITCH[kind]: False})
    users = User.objects.filter(Exists(here), ~Exists(unwilling), pk__in={one for one in accounts if one})
    return list(users.filter(is_active=True).order_by("pk").values_list("pk", flat=True))


def address_of(account: int) -> str:
    """Return the address for an account's mails: its confirmed main address, or an empty text."""
    found = EmailAddress.objects.filter(user=account, primary=True, verified=True, user__is_active=True)
    return found.values_list("email", flat=True).first() or ""


def accounts_at(game: Game) -> set[int]:
    """Return the accounts of a game's players that may see it."""
    seatings = Seating.objects.filter(game=game).select_related("player__merged_into")
    accounts = {account for seating in seatings if (account := seating.player.rated_account_id)}
    return accounts if not game.private else {one.pk for one in User.objects.filter(pk__in=accounts) if sees(one, game)}


def notices_due(now: datetime) -> "QuerySet[Notice]":
    """Return the notices to send now, oldest first."""
    lately = Notice.objects.filter(account=OuterRef("account"), sent_at__gt=now - QUIET)
    return Notice.objects.filter(~Exists(lately), next_at__lte=now).order_by("next_at", "pk")


def uploads_to_notify_of() -> "QuerySet[Upload]":
    """Return finished uploads whose players were not notified yet."""
    return Upload.objects.filter(done_at__isnull=False, notified_at=None).order_by("done_at", "pk")


def anything_to_send(now: datetime) -> bool:
    """Return whether any notice is due."""
    return uploads_to_notify_of().exists() or notices_due(now).exists()


def seated_in(upload: Upload) -> set[int]:
    """Return the accounts of players in the games first uploaded with an upload, except the uploader."""
    seatings = Seating.objects.filter(game__in=first_uploaded_in([upload]))
    own = seatings.filter(player__merged_into=None, player__account__isnull=False).values_list("player__account")
    merged = seatings.filter(player__merged_into__account__isnull=False).values_list("player__merged_into__account")
    return {account for (account,) in own.union(merged) if account != upload.uploader_id}
