"""Where a record stands among those of its upload that are to be corrected."""

from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse

from games.models import MoveLog, Upload
from games.models.records import VerdictKind
from games.records.reads.visibility import Viewer
from games.uploads.reads.corrections import RecordAt, corrected_by, corrections_of, next_rejected

SIZE = 100
"""Records on a page of a report."""


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


@dataclass(frozen=True, slots=True)
class JustCorrected:
    """A record that was corrected just now."""

    number: int
    correction: str
    next: str


def correcting_of(upload: Upload, log: MoveLog, viewer: Viewer) -> Correcting:
    """Return what leads on from a record's page."""
    rejected = corrected_by([log.pk], viewer).get(log.pk)
    if rejected:
        original = Upload(pk=rejected.upload)
        return Correcting(
            _rejected_shown(rejected),
            "",
            next_url(original, viewer, after=rejected.number),
            report_at(rejected.upload, rejected.number, rejected.among),
        )
    is_rejected = log.verdict == VerdictKind.REJECTED
    return Correcting(
        None,
        correction_url(corrections_of([log.pk], viewer).get(log.pk)) if is_rejected else "",
        next_url(upload, viewer, after=log.number) if is_rejected else "",
        report_at(upload.pk, log.number, upload.split_logs),
    )


def just_corrected(upload: Upload, number: int, viewer: Viewer) -> JustCorrected | None:
    """Return what leads on from a report to which somebody returns after correcting a record."""
    log = upload.logs.filter(number=number).values_list("pk", flat=True).first()
    correction = correction_url(corrections_of([log], viewer).get(log)) if log else ""
    return JustCorrected(number, correction, next_url(upload, viewer, after=number)) if correction else None


def next_url(upload: Upload, viewer: Viewer, *, after: int) -> str:
    """Return the page of the next rejected record that is not corrected; empty if there is no other."""
    number = next_rejected(upload, viewer, after=after)
    return reverse("upload-record", args=[upload.pk, number]) if number else ""


def correction_url(correction: RecordAt | None) -> str:
    """Return the page of a record that corrects another; empty for none."""
    return reverse("upload-result", args=[correction.upload]) if correction else ""


def report_at(upload: UUID, number: int, among: int, *, corrected: bool = False) -> str:
    """Return the address of a report at the place of a record.

    :param among: the number of records that there are.
    :param corrected: whether it was corrected just now.
    """
    asked = [f"corrected={number}"] if corrected else []
    if among > SIZE:
        asked += ["show=rejected", f"after={number - 1}"]
    place = "corrected" if corrected else f"record-{number}"
    return f"{reverse('upload-result', args=[upload])}{'?' if asked else ''}{'&'.join(asked)}#{place}"


def _rejected_shown(at: RecordAt) -> RejectedShown:
    url = reverse("upload-record", args=[at.upload, at.number])
    return RejectedShown(url, at.filename, at.file, at.number if at.among > 1 else None)
