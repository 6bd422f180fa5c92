"""Reading whom to notify of what, and which notices are still to be sent."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.models import Game, GameComment, MailPreferences, Notice, Seating, Study, Upload
from games.records.reads.games import first_uploaded_in
from games.records.reads.visibility import sees
from games.studies.reads.studies import studies_followed

QUIET = timedelta(minutes=10)
"""Nobody gets two mails within so long: what comes meanwhile is gathered in the next."""
SETTLED = timedelta(minutes=15)
"""How long a study has not changed before its followers are notified."""

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
    Kind.COMMENTED: "comments",
    Kind.STUDY_CHANGED: "studies",
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


def comments_to_notify_of() -> "QuerySet[GameComment]":
    """Return comments of which those who commented on the game before were not notified yet."""
    return GameComment.objects.filter(notified_at=None)


def studies_to_notify_of(now: datetime) -> "QuerySet[Study]":
    """Return studies that have changed, and not again lately, since their followers were notified."""
    unsaid = Q(notified_at=None) | Q(notified_at__lt=F("changed_at"))
    return Study.objects.filter(unsaid, changed_at__lte=now - SETTLED).order_by("changed_at", "pk")


def news_for(account: int, notice: Notice) -> Game | None:
    """Return the game of a notice of comments, if its reader sees one by somebody else that they did not answer yet."""
    reader, game = User.objects.get(pk=account), notice.game
    assert game  # noqa: S101 - the row is about nothing else
    own = game.comments.filter(author=account).order_by("-written_at").values_list("written_at", flat=True).first()
    since = max(own, notice.noted_at) if own else notice.noted_at
    others = game.comments.filter(hidden_at=None, written_at__gte=since).exclude(author=account)
    return game if sees(reader, game) and others.exists() else None


def changed_for(account: int, notice: Notice) -> Study | None:
    """Return the study of a notice, if its reader follows it and may still read it."""
    assert notice.study  # noqa: S101 - the row is about nothing else
    followed = studies_followed(User.objects.get(pk=account)).filter(pk=notice.study.pk)
    return followed.select_related("owner").first()


def anything_to_send(now: datetime) -> bool:
    """Return whether any notice is due, or to be made."""
    to_make = (uploads_to_notify_of(), comments_to_notify_of(), studies_to_notify_of(now))
    return any(rows.exists() for rows in to_make) or notices_due(now).exists()


def seated_in(upload: Upload) -> set[int]:
    """Return the accounts of players in the games first uploaded with an upload, except the uploader."""
    seatings = Seating.objects.filter(game__in=first_uploaded_in([upload]))
    own = seatings.filter(player__merged_into=None, player__account__isnull=False).values_list("player__account")
    merged = seatings.filter(player__merged_into__account__isnull=False).values_list("player__merged_into__account")
    return {account for (account,) in own.union(merged) if account != upload.uploader_id}
