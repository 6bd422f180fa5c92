"""Webhooks: an address is notified when an upload is done or a club has news, in the form of Standard Webhooks.

An upload's delivery is a row. It is due when its upload is done, and the sweep finds it; an attempt is counted before
the work, so a killed worker costs one attempt but never the delivery. It may come twice, with the same id. Accounts
take turns, and receivers are waited for at the same time, so that a slow or dead one delays no other account.
"""

import hmac
import json
import secrets
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import ClubWebhook, Delivery, DeliveryAttempt, Upload, WebhookKey
from games.platform.backoff import Backoff
from games.platform.errors import RefusedError
from games.platform.outgoing import AddressError, SendError, post, target_of
from games.platform.senders import send_beside_each_other
from games.webhooks.reads import accounts_due, deliveries_due

BACKOFF = Backoff.of_minutes(0.1, 1, 5, 30, 2 * 60, 5 * 60, 10 * 60, 7 * 60)
"""How long to wait after each failed attempt; after a day and one more attempt it is given up."""
LEASE = timedelta(minutes=2)
KEPT_FOR = timedelta(days=90)
"""How long the uploader can read what became of a webhook."""
SLOTS = 16
"""Receivers that are waited for at the same time, at most one of an account."""
SLOW = 1.0
"""Seconds after which a receiver is slow."""
_GONE = 410
_FINE = range(200, 300)
_PREFIX = "whsec_"
MessageOf = Callable[[Delivery], Mapping[str, object]]


class WebhookError(RefusedError):
    """A webhook that the account may not have."""

    parameter = "webhook"


class Outcome(NamedTuple):
    """The outcome of an attempt: the status of the answer, or why there was none."""

    at: datetime
    seconds: float = 0
    status: int | None = None
    template: str = ""
    params: Mapping[str, object] = {}
    never: bool = False
    """Whether the address can never be used."""


def make_secret(account: AbstractBaseUser, *, now: datetime) -> str:
    """Create the secret that signs an account's webhooks; an earlier one becomes invalid.

    :returns: it; it is never shown again.
    """
    salt = secrets.token_bytes(32)
    WebhookKey.objects.update_or_create(account_id=account.pk, defaults={"salt": salt, "made_at": now})
    return _PREFIX + b64encode(_key(salt)).decode()


def _key(salt: bytes) -> bytes:
    """Return the signing key: of the salt in the database and the site's own key, so that neither alone is enough."""
    return hmac.digest(settings.SECRET_KEY.encode(), b"webhook\0" + salt, sha256)


def check(url: str, account: AbstractBaseUser | None) -> None:
    """Check that an account may have a webhook at an address.

    :raises WebhookError: without an account, or one that has no secret.
    :raises AddressError: when nothing is sent to such an address.
    """
    if account is None:
        raise WebhookError("webhook_of_nobody", "Webhooks need an account. Sign in first.")
    if not WebhookKey.objects.filter(account=account.pk).exists():
        raise WebhookError("no_webhook_secret", "Create a secret for webhooks first, on your account’s page.")
    target_of(url)


def order(upload: Upload, url: str, *, now: datetime) -> None:
    """Order a notification of an address, which was checked, for when an upload is done."""
    Delivery.objects.create(upload=upload, account=upload.uploader, url=url, made_at=now, next_at=now)  # type: ignore[misc]


def send_again(upload: Upload, *, now: datetime) -> bool:
    """Retry an upload's delivery. :returns: whether there is one, and its upload is done."""
    again = Delivery.objects.filter(upload=upload, upload__done_at__isnull=False)
    return bool(again.update(attempts=0, next_at=now, sent_at=None))


def deliver_due(
    message_of: MessageOf,
    *,
    has_time: Callable[[], bool] = lambda: True,
    meanwhile: Callable[[], object] = lambda: None,
) -> int:
    """Send what is due: for many accounts at the same time, for each one after another, in turns.

    :param message_of: gives what is sent, as the body in JSON.
    :param has_time: called before another is begun.
    :param meanwhile: called again and again while receivers are waited for.
    :returns: how many were delivered.
    """
    return send_beside_each_other(
        SLOTS, _next, lambda delivery: _sender(delivery, message_of), _note, has_time=has_time, meanwhile=meanwhile
    )


def _next(sending: Collection[Delivery]) -> Delivery | None:
    """Take the next delivery: slow receivers get at most half of the slots, so that all others find one."""
    slow = sum(delivery.account.webhook_key.slow for delivery in sending)
    return _take(timezone.now(), slow_too=slow < SLOTS // 2)


@transaction.atomic
def _take(now: datetime, *, slow_too: bool = True) -> Delivery | None:
    """Claim a delivery of an account whose turn it is and that has no delivery in progress."""
    accounts = accounts_due(now) if slow_too else accounts_due(now).filter(slow=False)
    key = accounts.select_for_update(skip_locked=True, of=("self",), no_key=True).first()
    if key is None:
        return None
    waiting = deliveries_due(key.account_id, now).select_related("account__webhook_key")
    delivery = waiting.select_for_update(skip_locked=True, of=("self",)).first()
    if delivery is not None:
        delivery.attempts += 1
        delivery.leased_until = now + LEASE
        delivery.next_at = now + BACKOFF.after(delivery.attempts)
        delivery.save(update_fields=["attempts", "leased_until", "next_at"])
    WebhookKey.objects.filter(pk=key.pk).update(turn_at=now)
    return delivery


def _sender(delivery: Delivery, message_of: MessageOf) -> Callable[[], Outcome]:
    """Return a function that sends a delivery without needing the database."""
    at = timezone.now()
    body = json.dumps(message_of(delivery), ensure_ascii=False).encode()
    return partial(_send, delivery.url, body, _headers(delivery, body, at), at)


def _send(url: str, body: bytes, headers: Mapping[str, str], at: datetime) -> Outcome:
    begun, said = monotonic(), Outcome(at)
    try:
        said = said._replace(status=post(url, body, headers))
    except (AddressError, SendError) as error:
        never = isinstance(error, AddressError)
        said = said._replace(template=error.template, params=dict(error.params), never=never)
    return said._replace(seconds=monotonic() - begun)


@transaction.atomic
def _note(delivery: Delivery, said: Outcome) -> bool:
    """Record the outcome of an attempt, unless another has begun. :returns: whether it was delivered."""
    held, heard = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts), said.status in _FINE
    if heard:
        held.update(leased_until=None, next_at=None, sent_at=said.at)
    elif said.never or said.status == _GONE or BACKOFF.is_over(delivery.attempts):
        held.update(leased_until=None, next_at=None)
    else:
        held.update(leased_until=None)
    WebhookKey.objects.filter(account=delivery.account_id).update(slow=said.status is None or said.seconds > SLOW)
    there = Delivery.objects.select_for_update(no_key=True).filter(pk=delivery.pk).values_list("pk", flat=True)
    if there.first():  # otherwise its account or its club's webhook was deleted meanwhile
        DeliveryAttempt.objects.create(
            delivery=delivery, at=said.at, milliseconds=int(said.seconds * 1000),
            status=said.status, template=said.template, params=said.params,
        )  # fmt: skip
    return heard


def _headers(delivery: Delivery, body: bytes, at: datetime) -> dict[str, str]:
    """Return the headers of Standard Webhooks: an id, a time, and a signature of both and the body."""
    name, time = _id(delivery), str(int(at.timestamp()))
    salt = bytes(delivery.account.webhook_key.salt)
    signed = hmac.digest(_key(salt), f"{name}.{time}.".encode() + body, sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Atta-Webhooks",
        "webhook-id": name,
        "webhook-timestamp": time,
        "webhook-signature": f"v1,{b64encode(signed).decode()}",
    }


def _id(delivery: Delivery) -> str:
    """Return the id of what is sent, the same in each attempt."""
    return f"upload-{delivery.upload_id}" if delivery.upload_id else f"club-{delivery.webhook_id}-{delivery.pk}"


def forget_webhooks(webhooks: "QuerySet[ClubWebhook]") -> None:
    """Delete webhooks of clubs with their deliveries, locked first, so that nobody notes an attempt meanwhile."""
    list(Delivery.objects.select_for_update().filter(webhook__in=webhooks).order_by("pk").values_list("pk"))
    webhooks.delete()


def forget_old(*, now: datetime) -> int:
    """Delete webhooks that were sent or given up long ago, with their attempts. :returns: how many."""
    old = Delivery.objects.filter(next_at=None, made_at__lt=now - KEPT_FOR)
    return old.delete()[1].get("games.Delivery", 0)
