"""Reading how the verification of an upload comes on."""

from datetime import datetime

from django.db.models import Max

from games.models import Upload, Verdict


def last_judged(upload: Upload) -> datetime | None:
    """When the newest verdict on a record of an upload was given; none when there is none yet."""
    latest: datetime | None = Verdict.objects.filter(log__upload=upload).aggregate(at=Max("judged_at"))["at"]
    return latest
