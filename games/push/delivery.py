"""Sends push notices: an attempt is counted before the work, and several push services are called at the same time."""

import json
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial

import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, override

from games.mail.texts import is_turn_of, turn_item
from games.models import PushNotice, PushSubscription
from games.notices.reads import preferences_of
from games.platform.backoff import Backoff
from games.platform.outgoing import AddressError, SendError, post
from games.platform.senders import send_beside_each_other
from games.push.encryption import CURVE, encrypt
from games.push.reads import pushes_due
from games.push.vapid import authorization

_log = structlog.get_logger()

BACKOFF = Backoff.of_minutes(0.5, 2, 10, 60)
"""The pauses after failed attempts; after one more the notice is given up."""
KEEP = timedelta(days=1)
"""How long a push service keeps a notice for a browser that is off."""
SLOTS = 8
"""Push services that are waited for at the same time."""
_FINE = range(200, 300)
_GONE = frozenset({404, 410})


def push_due(*, has_time: Callable[[], bool] = lambda: True, meanwhile: Callable[[], object] = lambda: None) -> int:
    """Send what is due, one notice of an account at a time. :returns: how many notices a push service took.

    :param has_time: called before more is begun; `meanwhile` again and again while push services are waited for.
    """
    return send_beside_each_other(SLOTS, _next, _sender, _note, has_time=has_time, meanwhile=meanwhile)


def _next(sending: Collection[PushNotice]) -> PushNotice | None:
    """Take the next notice that is still wanted; browsers not heard of yet get at most half of the slots."""
    accounts = {notice.subscription.account_id for notice in sending}
    unproven = sum(not notice.is_proven for notice in sending)
    while notice := _take(timezone.now(), accounts, unproven_too=unproven < SLOTS // 2):
        if _is_wanted(notice):
            return notice
    return None


@transaction.atomic
def _take(now: datetime, busy: Collection[int], *, unproven_too: bool) -> PushNotice | None:
    """Claim a due notice, of an account to which none is being sent."""
    due = pushes_due(now, proven_only=not unproven_too).exclude(subscription__account__in=busy)
    notice = due.select_related("subscription", "table").select_for_update(skip_locked=True, of=("self",)).first()
    if notice:
        notice.attempts += 1
        notice.next_at = now + BACKOFF.after(notice.attempts)
        notice.save(update_fields=["attempts", "next_at"])
    return notice


def _is_wanted(notice: PushNotice) -> bool:
    """Return whether it is still the account's turn; otherwise the notice is deleted."""
    wanted = notice.subscription.account.is_active and is_turn_of(notice.subscription.account_id, notice.table)
    if not wanted:
        notice.delete()
    return wanted


def _sender(notice: PushNotice) -> Callable[[], int | None]:
    """Return a function that sends a notice without needing the database.

    :returns: that function, which returns the status, or None without an answer.
    """
    subscription = notice.subscription
    own = ec.generate_private_key(CURVE)
    body = encrypt(message_of(notice), bytes(subscription.point), bytes(subscription.auth), own)
    said = authorization(settings.VAPID_KEY, subscription.endpoint, settings.SITE_URL, now=timezone.now())
    headers = {
        "Authorization": said,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEEP.total_seconds())),
        "Topic": notice.table.key,
        "Urgency": "normal",
    }
    return partial(_post, subscription.endpoint, body, headers)


def message_of(notice: PushNotice) -> bytes:
    """Return what a browser shows, as JSON: whose turn it is and where, and nothing else about the game."""
    account = notice.subscription.account_id
    with override(preferences_of(account).language or notice.subscription.language):
        item = turn_item(notice.table)
        said = {"title": gettext("Your turn"), "body": item.sentence, "url": item.path, "tag": notice.table.key}
    return json.dumps(said, ensure_ascii=False).encode()


def _post(endpoint: str, body: bytes, headers: dict[str, str]) -> int | None:
    try:
        return post(endpoint, body, headers)
    except AddressError:
        return min(_GONE)
    except SendError as error:
        _log.warning("push.unsent", reason=str(error))
        return None


def _note(notice: PushNotice, status: int | None) -> bool:
    """Record the result of an attempt. :returns: whether the notice was taken."""
    held = PushNotice.objects.filter(pk=notice.pk, attempts=notice.attempts)
    if status in _GONE:
        PushSubscription.objects.filter(pk=notice.subscription_id).delete()
    elif status in _FINE:
        held.delete()
        PushSubscription.objects.filter(pk=notice.subscription_id).update(sent_at=timezone.now())
    elif BACKOFF.is_over(notice.attempts):
        held.delete()
    return status in _FINE
