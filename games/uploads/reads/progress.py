"""Reading the progress of an upload's verification: a few rows, whatever its size."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from games.models import Act, Archive, MoveLog, Upload, VerdictCount
from games.records.reads.visibility import Viewer, games_for
from games.uploads.reads.corrections import count_corrected


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the verification of an upload has come, in logs."""

    total: int
    verified: int
    unfinished: int
    rejected: int
    quarantined: int
    cancelled: int = 0
    corrected: int = 0
    """Of the rejected ones."""
    removed: int = 0
    """Rejected ones that their uploader removed; the total is without them."""
    begun_at: datetime | None = None
    """When a worker took the first."""
    judged_at: datetime | None = None
    """When the last verdicts were stored."""

    @property
    def done(self) -> int:
        """Return how many logs wait no longer."""
        return self.verified + self.unfinished + self.rejected + self.quarantined + self.cancelled

    @property
    def waiting(self) -> int:
        """Return how many logs wait, or are being verified."""
        return self.total - self.done

    @property
    def rate(self) -> float | None:
        """Return logs a second since the first was taken; none before the first verdict."""
        if not self.begun_at or not self.judged_at:
            return None
        seconds = (self.judged_at - self.begun_at).total_seconds()
        return self.done / seconds if seconds > 0 else None


def progress_of(upload: Upload, viewer: Viewer | None = None) -> Progress:
    """Return the progress of an upload's verification, in the logs that somebody may see, or in all."""
    found = Counter[str]()
    for counted in verdict_counts_of(upload):
        found[counted.verdict] += counted.games
    hidden = _hidden(upload, viewer) if viewer else Counter[str]()
    found.subtract(hidden)
    return Progress(
        total=upload.split_logs - hidden.total() - found[VerdictCount.Kind.REMOVED],
        **{kind.value: found[kind] for kind in VerdictCount.Kind},
        corrected=count_corrected(upload) if found[VerdictCount.Kind.REJECTED] else 0,
        begun_at=upload.begun_at,
        judged_at=upload.judged_at,
    )


def stage_of(upload: Upload) -> str:
    """Return the state of an upload in a word, for programs."""
    return str(upload.state) if upload.done_at is None or upload.state != Upload.State.VERIFYING else "done"


def archive_of(upload: Upload) -> Archive | None:
    """Return the stored file of an upload; none if it was cut at once."""
    try:
        return upload.archive
    except Archive.DoesNotExist:
        return None


def find_file(pk: UUID, account: int) -> Archive:
    """Find the file of an upload of an account's own.

    :raises Archive.DoesNotExist: when there is none, or it was cancelled.
    """
    own = Archive.objects.select_related("upload").exclude(upload__state=Upload.State.CANCELLED)
    return own.get(pk=pk, upload__uploader=account)


def unfinished_files(account: int) -> list[Archive]:
    """Return an account's files that are not here completely, those touched last first."""
    receiving = Archive.objects.filter(upload__uploader=account, upload__state=Upload.State.RECEIVING)
    return list(receiving.select_related("upload").order_by("-touched_at"))


def verdict_counts_of(upload: Upload) -> list[VerdictCount]:
    """Return how many logs got which verdict by which rule, the most frequent first."""
    return list(upload.verdict_counts.filter(games__gt=0).order_by("-games", "verdict", "rule"))


def _hidden(upload: Upload, viewer: Viewer) -> Counter[str]:
    """Count by verdict the logs of a public upload whose games were hidden from this viewer afterwards."""
    acts = Act.objects.filter(kind=Act.Kind.GAME_HIDDEN, by=upload.uploader_id)
    logs = MoveLog.objects.filter(upload=upload, game__in=acts.values("game"), game__private=True, removed=None)
    return Counter(dict(logs.exclude(games_for(viewer, "game__")).values_list("game__verdict").annotate(Count("pk"))))
