"""Reading the webhook's event of a finished upload."""

from uuid import UUID

from django.conf import settings
from django.urls import reverse

from games.models import Delivery, Upload
from games.uploads.reads.progress import progress_of, stage_of

_COUNTS = ("total", "verified", "unfinished", "rejected", "quarantined", "cancelled")


def event_of(delivery: Delivery) -> dict[str, object]:
    """Return the event of an upload that is done."""
    upload = delivery.upload
    assert upload  # noqa: S101 - for the types
    done = upload.done_at or delivery.made_at
    return {"type": "upload.done", "timestamp": done.isoformat(), "data": _data(upload)}


def _data(upload: Upload) -> dict[str, object]:
    """Return an upload's addresses, its state, and its number of records by verdict."""
    progress = progress_of(upload)
    return {
        "upload": str(upload.pk),
        "filename": upload.filename,
        "state": stage_of(upload),
        "url": _address(upload.pk),
        "page": settings.SITE_URL + upload.get_absolute_url(),
        "duplicate_of": _address(upload.repeats_id) if upload.repeats_id else None,
        "records": {name: getattr(progress, name) for name in _COUNTS},
    }


def _address(upload: UUID) -> str:
    return settings.SITE_URL + reverse("api-upload", args=[upload])
