"""Which rejected records of an upload are corrected, by which, and which is next."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from games.models import CorrectedRecord, MoveLog, Upload
from games.models.records import VerdictKind
from games.records.reads.visibility import Viewer, logs_for, uploads_for


class RecordAt(NamedTuple):
    """The place of a record: its upload, the file in it, its number, and the number of records that there are."""

    upload: UUID
    filename: str
    file: str
    number: int
    among: int


_PLACE = ("upload", "upload__filename", "entry__name", "number", "upload__split_logs")


def corrections_of(logs: Collection[int], viewer: Viewer) -> dict[int, RecordAt]:
    """Return by log the records that correct rejected ones, as far as the viewer may see them."""
    pairs = CorrectedRecord.objects.filter(uploads_for(viewer, "correction__upload__"), rejected__in=logs)
    names = (f"correction__{name}" for name in _PLACE)
    return {log: _place(*place) for log, *place in pairs.values_list("rejected", *names)}


def corrected_by(logs: Collection[int], viewer: Viewer) -> dict[int, RecordAt]:
    """Return by log the rejected record that each corrects, the first of several, as far as the viewer may see it."""
    pairs = CorrectedRecord.objects.filter(uploads_for(viewer, "rejected__upload__"), correction__in=logs)
    names = (f"rejected__{name}" for name in _PLACE)
    found = pairs.order_by("-rejected").values_list("correction", *names)
    return {log: _place(*place) for log, *place in found}


def count_corrected(upload: Upload) -> int:
    """Return how many rejected records of an upload are corrected."""
    return _rejected(upload).filter(corrected__isnull=False).count()


def next_rejected(upload: Upload, viewer: Viewer, *, after: int, sort: str = "") -> int | None:
    """Return the number of the next rejected record that is not corrected; after the last comes the first again.

    :param sort: `file` for the order of files, then numbers.
    :returns: None if there is no other.
    """
    left = _rejected(upload).filter(logs_for(viewer), corrected=None).exclude(number=after)
    beyond, order = Q(number__gt=after), ["number"]
    if sort:
        file = MoveLog.objects.filter(upload=upload, number=after).values_list("entry__name", flat=True).first() or ""
        left = left.annotate(file=Coalesce(F("entry__name"), Value("")))
        beyond, order = Q(file__gt=file) | Q(beyond, file=file), ["file", "number"]
    numbers = left.order_by(*order).values_list("number", flat=True)
    return numbers.filter(beyond).first() or numbers.first()


def _rejected(upload: Upload) -> "QuerySet[MoveLog]":
    return MoveLog.objects.filter(upload=upload, verdict=VerdictKind.REJECTED)


def _place(upload: UUID, filename: str, file: str | None, number: int, among: int) -> RecordAt:
    return RecordAt(upload, filename, file or "", number, among)
