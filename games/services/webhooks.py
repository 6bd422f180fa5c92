"""Webhooks: who uploads can name an address that is told when the upload is done, in the form of Standard Webhooks.

An upload's delivery is a row. It is due when its upload is done, and the sweep finds it; an attempt is counted before
the work, so a worker that dies costs one attempt and never the delivery. It may come twice, with the same id.
"""

import hmac
import json
import secrets
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from games.models import Delivery, DeliveryAttempt, Upload, WebhookKey
from games.selectors.uploads import progress_of
from games.selectors.webhooks import deliveries_due, under_way
from games.services.outgoing import AddressError, SendError, post, target_of
from games.services.refusals import RefusedError

BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (0.1, 1, 5, 30, 2 * 60, 5 * 60, 10 * 60, 7 * 60))
"""How long an attempt that failed is followed by none; after a day and one more attempt it is given up."""
LEASE = timedelta(minutes=2)
_GONE = 410
_FINE = range(200, 300)
_PREFIX = "whsec_"


class WebhookError(RefusedError):
    """A webhook that cannot be."""


def make_secret(account: AbstractBaseUser, *, now: datetime) -> str:
    """Makes the secret by which an account knows its webhooks; one it had is over. :returns: it, for the only time."""
    salt = secrets.token_bytes(32)
    WebhookKey.objects.update_or_create(account_id=account.pk, defaults={"salt": salt, "made_at": now})
    return _PREFIX + b64encode(_key(salt)).decode()


def _key(salt: bytes) -> bytes:
    """What is signed with: of the salt in the database and the site's own key, so that neither alone is enough."""
    return hmac.digest(settings.SECRET_KEY.encode(), b"webhook\0" + salt, sha256)


def check(url: str, account: AbstractBaseUser | None) -> None:
    """Refuses a webhook that cannot be.

    :raises WebhookError: without an account, or one that has no secret.
    :raises AddressError: when nothing is sent to such an address.
    """
    if account is None:
        raise WebhookError("webhook_of_nobody", "Only somebody with an account can have webhooks.")
    if not WebhookKey.objects.filter(account=account.pk).exists():
        raise WebhookError("no_webhook_secret", "Make a secret for webhooks first, on the page of the account.")
    target_of(url)


def order(upload: Upload, url: str, *, now: datetime) -> None:
    """Has an address told when an upload is done; that was checked."""
    Delivery.objects.create(upload=upload, account=upload.uploader, url=url, made_at=now, next_at=now)  # type: ignore[misc]


def send_again(upload: Upload, *, now: datetime) -> bool:
    """Has an upload's delivery tried once more. :returns: whether there is one, and its upload is done."""
    again = Delivery.objects.filter(upload=upload, upload__done_at__isnull=False)
    return bool(again.update(attempts=0, next_at=now, sent_at=None))


def deliver_due(*, go_on: Callable[[], bool] = lambda: True) -> int:
    """Sends what is due, one after another. :returns: how many were taken."""
    sent = 0
    while go_on() and (delivery := _take(timezone.now())):
        sent += _deliver(delivery)
    return sent


@transaction.atomic
def _take(now: datetime) -> Delivery | None:
    """Takes a delivery, unless another is under way: whoever waits for a slow reader must not hold all workers."""
    if under_way(now):
        return None
    delivery = deliveries_due(now).select_for_update(skip_locked=True, of=("self",)).first()
    if delivery is not None:
        delivery.attempts += 1
        delivery.leased_until = now + LEASE
        delivery.next_at = now + BACKOFF[min(delivery.attempts, len(BACKOFF)) - 1]
        delivery.save(update_fields=["attempts", "leased_until", "next_at"])
    return delivery


def _deliver(delivery: Delivery) -> bool:
    begun, attempt = monotonic(), DeliveryAttempt(delivery=delivery, at=timezone.now())
    try:
        body = _body(delivery)
        attempt.status = post(delivery.url, body, _headers(delivery, body, attempt.at))
    except (AddressError, SendError) as error:
        attempt.template, attempt.params = error.template, dict(error.params)
    attempt.milliseconds = int((monotonic() - begun) * 1000)
    _note(delivery, attempt)
    return attempt.status in _FINE


@transaction.atomic
def _note(delivery: Delivery, attempt: DeliveryAttempt) -> None:
    """Writes down what came of an attempt, unless another has begun."""
    held = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
    if attempt.status in _FINE:
        held.update(leased_until=None, next_at=None, sent_at=attempt.at)
    elif attempt.status == _GONE or delivery.attempts > len(BACKOFF):
        held.update(leased_until=None, next_at=None)
    else:
        held.update(leased_until=None)
    attempt.save()


def _headers(delivery: Delivery, body: bytes, at: datetime) -> dict[str, str]:
    """Standard Webhooks: an id, a time, and a signature of both and the body."""
    name, time = f"upload-{delivery.upload_id}", str(int(at.timestamp()))
    salt = bytes(WebhookKey.objects.get(account=delivery.account_id).salt)
    signed = hmac.digest(_key(salt), f"{name}.{time}.".encode() + body, sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Atta-Webhooks",
        "webhook-id": name,
        "webhook-timestamp": time,
        "webhook-signature": f"v1,{b64encode(signed).decode()}",
    }


def _body(delivery: Delivery) -> bytes:
    upload = delivery.upload
    progress = progress_of(upload)
    done = upload.done_at or delivery.made_at
    names = ("total", "verified", "unfinished", "rejected", "quarantined")
    data = {
        "upload": str(upload.pk),
        "filename": upload.filename,
        "state": upload.state,
        "url": _address(upload.pk),
        "page": settings.SITE_URL + upload.get_absolute_url(),
        "repeats": _address(upload.repeats_id) if upload.repeats_id else None,
        "records": {name: getattr(progress, name) for name in names},
    }
    told = {"type": "upload.done", "timestamp": done.isoformat(), "data": data}
    return json.dumps(told, ensure_ascii=False).encode()


def _address(upload: UUID) -> str:
    return settings.SITE_URL + reverse("api-upload", args=[upload])
