"""Notices to accounts, by mail or in a browser, stored in the transaction of the event itself.

Nothing is sent here: `games/mail/delivery.py` and `games/push/delivery.py` do that later, so that no page waits for a
mail server and nothing is lost while one is down.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from games.models import (
    Challenge,
    Claim,
    Correction,
    Dispute,
    Game,
    GameComment,
    Notice,
    PushNotice,
    PushSubscription,
    Study,
    Table,
    Upload,
)
from games.notices.reads import (
    accounts_at,
    comments_to_notify_of,
    reached,
    seated_in,
    studies_to_notify_of,
    uploads_to_notify_of,
)
from games.records.reads.tables import accounts_beside
from games.records.reads.visibility import sees

GATHERING = timedelta(minutes=1)
"""How long a mail waits for further notices."""
AWAY = timedelta(minutes=30)
"""How long somebody has not acted at a table who gets a mail about it."""
SOON = timedelta(seconds=15)
"""How long somebody has not acted at a table whose browsers are notified."""
KEPT_FOR = timedelta(days=30)

Kind = Notice.Kind
HasTime = Callable[[], bool]
"""Called before more is begun."""


def claim_made(claim: Claim, *, now: datetime) -> None:
    """Tell the account that uploaded the name first and can decide the claim, or else those who can contest it."""
    asked: set[int | None] = {claim.player.introduced_by_id}
    if claim.approved_from:
        asked = set(accounts_beside(claim.player_id))
    _note(Kind.CLAIM_MADE, asked - {claim.account_id}, now, claim=claim)


def claim_contested(claim: Claim, *, now: datetime) -> None:
    """Tell the claimant that a moderator has to decide."""
    _note(Kind.CLAIM_CONTESTED, [claim.account_id], now, claim=claim)


def claim_decided(claim: Claim, *, now: datetime) -> None:
    """Tell the claimant what was decided."""
    revoked = claim.state == Claim.State.REVOKED
    _note(Kind.CLAIM_REVOKED if revoked else Kind.CLAIM_DECIDED, [claim.account_id], now, claim=claim)


def dispute_raised(dispute: Dispute, *, now: datetime) -> None:
    """Tell all other players of a game."""
    _note(Kind.DISPUTE_RAISED, accounts_at(dispute.game) - {dispute.account_id}, now, dispute=dispute)


def dispute_settled(dispute: Dispute, *, now: datetime) -> None:
    """Tell all players of a game and the account that raised the dispute, except the one that ended it."""
    concerned = accounts_at(dispute.game) | {dispute.account_id}
    _note(Kind.DISPUTE_SETTLED, concerned - {dispute.settled_by_id}, now, dispute=dispute)


def seating_raised(challenge: Challenge, *, now: datetime) -> None:
    """Tell all whom the game or the other upload names that it must be settled who played."""
    named = accounts_at(challenge.game) | accounts_at(challenge.rival)
    _note(Kind.SEATING_RAISED, named - {challenge.raised_by_id}, now, challenge=challenge)


def seating_settled(challenge: Challenge, *, by: int | None, now: datetime) -> None:
    """Tell them which seating applies now, except the account that settled it."""
    named = accounts_at(challenge.game) | accounts_at(challenge.rival)
    _note(Kind.SEATING_SETTLED, named - {by}, now, challenge=challenge)


def correction_ordered(correction: Correction, game: Game, *, now: datetime) -> None:
    """Tell all players of a game that it was annulled, or counts again."""
    annulled = correction.kind == Correction.Kind.ANNULMENT
    kind = Kind.GAME_ANNULLED if annulled else Kind.GAME_RESTORED
    _note(kind, accounts_at(game) - {correction.by_id}, now, correction=correction)


def _always() -> bool:
    return True


def _repeat(step: Callable[[datetime], bool], now: datetime, has_time: HasTime) -> int:
    """Do one step after another until nothing is left or time is up. :returns: how many."""
    count = 0
    while has_time() and step(now):
        count += 1
    return count


def notify_of_uploads(*, now: datetime, has_time: HasTime = _always) -> int:
    """Tell the players of games whose upload is done. :returns: how many uploads."""
    return _repeat(_notify_of_next_upload, now, has_time)


@transaction.atomic
def _notify_of_next_upload(now: datetime) -> bool:
    upload = uploads_to_notify_of().select_for_update(skip_locked=True, of=("self",)).first()
    if upload is None:
        return False
    _note(Kind.TO_CONFIRM, seated_in(upload), now, upload=upload)
    Upload.objects.filter(pk=upload.pk).update(notified_at=now)
    return True


def notify_of_comments(*, now: datetime, has_time: HasTime = _always) -> int:
    """Tell those who commented on a game before that others have. :returns: on how many games."""
    return _repeat(_notify_of_next_comments, now, has_time)


@transaction.atomic
def _notify_of_next_comments(now: datetime) -> bool:
    free = comments_to_notify_of().select_for_update(skip_locked=True, of=("self",))
    first = free.first()
    if first is None:
        return False
    # Those that another worker has are its own: each would wait for the other.
    new = list(free.filter(game=first.game_id).order_by("written_at", "pk"))
    shown = [one for one in new if one.hidden_at is None]
    if shown:
        readers = _who_commented(first.game, shown)
        _note_anew(Kind.COMMENTED, readers, noted_at=shown[0].written_at, next_at=now + GATHERING, game=first.game)
    GameComment.objects.filter(pk__in=[one.pk for one in new]).update(notified_at=now)
    return True


def _who_commented(game: Game, new: Sequence[GameComment]) -> set[int]:
    """Return the accounts that commented on a game on which somebody else did now, and that may still see it."""
    authors = GameComment.objects.filter(game=game, hidden_at=None).values_list("author", flat=True).distinct()
    readers = {author for author in authors if any(one.author_id != author for one in new)}
    return readers if not game.private else {one.pk for one in User.objects.filter(pk__in=readers) if sees(one, game)}


def notify_of_studies(*, now: datetime, has_time: HasTime = _always) -> int:
    """Tell the followers of studies that have changed. :returns: how many studies had changed."""
    return _repeat(_notify_of_next_study, now, has_time)


@transaction.atomic
def _notify_of_next_study(now: datetime) -> bool:
    study = studies_to_notify_of(now).select_for_update(skip_locked=True, no_key=True, of=("self",)).first()
    if study is None:
        return False
    since = study.follows.filter(since__lt=study.changed_at).exclude(account=study.owner_id)
    followers = since.values_list("account", flat=True)
    _note_anew(Kind.STUDY_CHANGED, followers, noted_at=study.changed_at, next_at=now + GATHERING, study=study)
    Study.objects.filter(pk=study.pk).update(notified_at=now)
    return True


def _note_anew(
    kind: Notice.Kind,
    accounts: Iterable[int | None],
    *,
    noted_at: datetime,
    next_at: datetime,
    game: Game | None = None,
    study: Study | None = None,
) -> None:
    """Store notices of what happens again and again; one that waits to be sent stands for what follows, too."""
    if not settings.MAIL_IS_ON:
        return
    readers = reached(accounts, kind)
    anew = {"noted_at": noted_at, "next_at": next_at, "sent_at": None, "attempts": 0}
    said = Notice.objects.filter(kind=kind, account__in=readers, game=game, study=study, next_at=None)
    said.update(**anew)
    rows = [Notice(kind=kind, account_id=account, game=game, study=study, **anew) for account in readers]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)


def _note(
    kind: Notice.Kind,
    accounts: Iterable[int | None],
    now: datetime,
    **about: Challenge | Claim | Dispute | Correction | Upload,
) -> None:
    if not settings.MAIL_IS_ON:
        return
    rows = [
        Notice(kind=kind, account_id=account, noted_at=now, next_at=now + GATHERING, **about)
        for account in reached(accounts, kind)
    ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)


def turn_passed(table: Table, account: int, *, now: datetime) -> None:
    """Tell an account that it is its turn at a table, unless it acts soon, because then it is there."""
    _note_for_browsers(table, account, now)
    if not settings.MAIL_IS_ON or account not in reached([account], Kind.YOUR_TURN):
        return
    anew = {"noted_at": now, "next_at": now + AWAY, "sent_at": None, "attempts": 0}
    Notice.objects.update_or_create(kind=Kind.YOUR_TURN, account_id=account, table=table, defaults=anew)


def _note_for_browsers(table: Table, account: int, now: datetime) -> None:
    for subscription in PushSubscription.objects.filter(account=account):
        anew = {"next_at": now + SOON, "attempts": 0}
        PushNotice.objects.update_or_create(subscription=subscription, table=table, defaults=anew)


def forget_old(*, now: datetime) -> int:
    """Delete notices that were sent or given up long ago. :returns: how many."""
    gone, _ = Notice.objects.filter(next_at=None, noted_at__lt=now - KEPT_FOR).delete()
    return gone
