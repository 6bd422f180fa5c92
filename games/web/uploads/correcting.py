"""Where a record stands among those of its upload that are to be corrected."""

from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse

from games.models import MoveLog, Upload
from games.models.records import VerdictKind
from games.records.reads.visibility import Viewer
from games.uploads.reads.corrections import RecordAt, corrected_by, corrections_of, next_rejected
from games.uploads.reads.results import Choice, may_sort, numbers_of

SIZE = 100
"""Records on a page of a report."""
_BY_FILE = Choice(VerdictKind.REJECTED.value, sort="file")


@dataclass(frozen=True, slots=True)
class RejectedShown:
    """The rejected record that a record corrects."""

    url: str
    filename: str
    file: str
    number: int | None
    """None for the only record of an upload."""


@dataclass(frozen=True, slots=True)
class Correcting:
    """What leads on from a record's page."""

    corrects: RejectedShown | None
    correction: str
    """The page of the record that corrects this one; empty if there is none."""
    next: str
    """The page of the next rejected record; empty if no other is left."""
    report: str
    """The report on the upload in which it was rejected, at its place."""
    query: str
    """What the address of a record's page says of the order in which one goes through them."""


@dataclass(frozen=True, slots=True)
class JustCorrected:
    """A record that was corrected just now."""

    number: int
    correction: str
    next: str


def sort_of(upload: Upload, asked: str) -> str:
    """Return in which order somebody goes through rejected records: `file`, or by number if empty."""
    return "file" if asked == "file" and may_sort(upload, _BY_FILE) else ""


def correcting_of(upload: Upload, log: MoveLog, viewer: Viewer, *, sort: str = "") -> Correcting:
    """Return what leads on from a record's page, in the order that was asked for."""
    rejected = corrected_by([log.pk], viewer).get(log.pk)
    if rejected:
        original = Upload(pk=rejected.upload)
        sort = sort_of(original, sort)
        return Correcting(
            _rejected_shown(rejected, sort),
            "",
            next_url(original, viewer, after=rejected.number, sort=sort),
            report_at(original, rejected.number, rejected.among, sort=sort),
            _query(sort),
        )
    sort = sort_of(upload, sort)
    is_rejected = log.verdict == VerdictKind.REJECTED
    return Correcting(
        None,
        correction_url(corrections_of([log.pk], viewer).get(log.pk), sort=sort) if is_rejected else "",
        next_url(upload, viewer, after=log.number, sort=sort) if is_rejected else "",
        report_at(upload, log.number, upload.split_logs, sort=sort if is_rejected else ""),
        _query(sort),
    )


def just_corrected(upload: Upload, number: int, viewer: Viewer, *, sort: str) -> JustCorrected | None:
    """Return what leads on from a report to which somebody returns after correcting a record."""
    log = upload.logs.filter(number=number).values_list("pk", flat=True).first()
    correction = correction_url(corrections_of([log], viewer).get(log), sort=sort) if log else ""
    return JustCorrected(number, correction, next_url(upload, viewer, after=number, sort=sort)) if correction else None


def next_url(upload: Upload, viewer: Viewer, *, after: int, sort: str) -> str:
    """Return the page of the next rejected record that is not corrected; empty if there is no other."""
    number = next_rejected(upload, viewer, after=after, sort=sort)
    return record_url(upload.pk, number, sort=sort) if number else ""


def record_url(upload: UUID, number: int, *, sort: str) -> str:
    """Return the page of a record, from which one goes on in an order."""
    return f"{reverse('upload-record', args=[upload, number])}{_query(sort)}"


def correction_url(correction: RecordAt | None, *, sort: str) -> str:
    """Return the page of a record that corrects another; empty for none."""
    return f"{reverse('upload-result', args=[correction.upload])}{_query(sort)}" if correction else ""


def report_at(upload: Upload, number: int, among: int, *, sort: str, corrected: bool = False) -> str:
    """Return the address of a report at the place of a rejected record.

    :param among: the number of records that there are.
    :param sort: `file` if the report is sorted by file.
    :param corrected: whether it was corrected just now.
    """
    asked = [f"corrected={number}"] if corrected else []
    if among > SIZE:
        asked += ["show=rejected", f"after={_before(upload, number) if sort else number - 1}"]
    asked += [f"sort={sort}"] if sort else []
    place = "corrected" if corrected else f"record-{number}"
    return f"{reverse('upload-result', args=[upload.pk])}{'?' if asked else ''}{'&'.join(asked)}#{place}"


def _before(upload: Upload, number: int) -> int:
    """Return the number of the rejected record before one in the order of files; 0 if it is the first."""
    return (numbers_of(upload, _BY_FILE, after=number, size=2, backwards=True)[1:] or [0])[0]


def _query(sort: str) -> str:
    return f"?sort={sort}" if sort else ""


def _rejected_shown(at: RecordAt, sort: str) -> RejectedShown:
    url = record_url(at.upload, at.number, sort=sort)
    return RejectedShown(url, at.filename, at.file, at.number if at.among > 1 else None)
