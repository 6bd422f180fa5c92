"""Reading which deliveries are due, and what came of them."""

from datetime import datetime

from django.db.models import QuerySet

from games.models import Delivery, Upload, WebhookKey
from games.selectors.visibility import Viewer


def deliveries_due(now: datetime) -> "QuerySet[Delivery]":
    """The deliveries to be tried: of uploads that are done; those that were tried least come first."""
    due = Delivery.objects.filter(next_at__lte=now, upload__done_at__isnull=False)
    return due.select_related("upload").order_by("attempts", "next_at", "pk")


def under_way(now: datetime) -> bool:
    """Whether one is being sent."""
    return Delivery.objects.filter(next_at__isnull=False, leased_until__gt=now).exists()


def anything_to_deliver(now: datetime) -> bool:
    """Whether a delivery is due and none under way."""
    return not under_way(now) and deliveries_due(now).exists()


def delivery_of(upload: Upload, viewer: Viewer) -> Delivery | None:
    """The delivery of an upload, told to its uploader alone."""
    if not viewer.is_authenticated or upload.uploader_id != viewer.pk:
        return None
    return Delivery.objects.filter(upload=upload).prefetch_related("tries").first()


def secret_made_at(account: int) -> datetime | None:
    """When an account made its secret for webhooks; none when it has none."""
    return WebhookKey.objects.filter(account=account).values_list("made_at", flat=True).first()
