"""Reading which deliveries are due, and their attempts."""

from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.models import Delivery, DeliveryAttempt, Upload, WebhookKey
from games.records.reads.visibility import Viewer

_IS_OVER = Q(upload__isnull=True) | Q(upload__done_at__isnull=False)
"""An upload is notified of when it is done, a club's news at once."""
LISTED = 20
"""Attempts that are listed, the newest."""


def accounts_due(now: datetime) -> "QuerySet[WebhookKey]":
    """Return accounts with deliveries due and none under way, in the order of their turns."""
    own = Delivery.objects.filter(account=OuterRef("account"), next_at__isnull=False)
    due = own.filter(_IS_OVER, next_at__lte=now)
    free = WebhookKey.objects.filter(Exists(due), ~Exists(own.filter(leased_until__gt=now)))
    return free.order_by(F("turn_at").asc(nulls_first=True), "pk")


def deliveries_due(account: int, now: datetime) -> "QuerySet[Delivery]":
    """Return an account's deliveries that are due, those that wait longest first, with what they are about."""
    due = Delivery.objects.filter(_IS_OVER, account=account, next_at__lte=now)
    return due.select_related("upload", "webhook__club", "evening", "season").order_by("next_at", "pk")


def anything_to_deliver(now: datetime) -> bool:
    """Return whether a delivery could be tried now."""
    return accounts_due(now).exists()


def delivery_of(upload: Upload, viewer: Viewer) -> Delivery | None:
    """Return the delivery of an upload, if its uploader asks."""
    if not viewer.is_authenticated or upload.uploader_id != viewer.pk:
        return None
    return Delivery.objects.filter(upload=upload).first()


def tries_of(delivery: Delivery) -> list[DeliveryAttempt]:
    """Return the newest attempts of a delivery, in their order."""
    return list(delivery.tries.order_by("-pk")[:LISTED])[::-1]


def secret_made_at(account: int) -> datetime | None:
    """Return when an account created its secret for webhooks; none when it has none."""
    return WebhookKey.objects.filter(account=account).values_list("made_at", flat=True).first()
