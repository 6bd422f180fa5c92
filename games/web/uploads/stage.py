"""The state of an upload apart from its verdicts, and the controls that it allows."""

from dataclasses import dataclass

from django.urls import reverse

from games.models import Upload
from games.records.reads.visibility import Viewer
from games.uploads.controls import broke_off, is_open, may_control
from games.uploads.reads.progress import Progress, archive_of
from games.uploads.removal import may_remove


@dataclass(frozen=True, slots=True)
class Stage:
    """The state of an upload: its file is arriving or being split, it is paused, or it ended early."""

    state: str
    paused: bool
    percent: int
    """Of the file, what is here, or what was split."""
    sentence: str
    """Why the rest was refused."""
    pausable: bool
    """What the reader may do."""
    cancellable: bool
    retriable: bool
    removable: int
    """How many rejected records the reader may remove."""
    restorable: int
    """How many removed ones may be brought back."""
    pause: str
    """The addresses for that."""
    has_time: str
    cancel: str
    retry: str
    remove: str
    restore: str

    @property
    def is_coming(self) -> bool:
        """Return whether records are still to be found."""
        return self.state in Upload.UNSPLIT

    @property
    def acts(self) -> str:
        """Return a summary of the controls: buttons change only when this does."""
        return "".join(
            letter
            for letter, may in zip(
                "pgcrxu",
                (self.pausable, self.paused, self.cancellable, self.retriable, self.removable, self.restorable),
                strict=True,
            )
            if may
        )


def stage_of(upload: Upload, viewer: Viewer, progress: Progress) -> Stage:
    """Return how far an upload is."""
    archive = archive_of(upload)
    done = (archive.received if upload.state == Upload.State.RECEIVING else archive.read) if archive else 0
    own = may_remove(upload, viewer)
    mine, going = may_control(upload, viewer), is_open(upload)
    return Stage(
        state=upload.state,
        paused=upload.paused,
        percent=100 * done // archive.length if archive else 100,
        sentence=archive.sentence if archive else "",
        pausable=mine and going and not upload.paused and upload.state != Upload.State.RECEIVING,
        cancellable=mine and going,
        retriable=mine and upload.state != Upload.State.CANCELLED and (progress.quarantined > 0 or broke_off(upload)),
        removable=progress.rejected - progress.corrected if own else 0,
        restorable=progress.removed if own else 0,
        pause=reverse("upload-pause", args=[upload.pk]),
        has_time=reverse("upload-resume", args=[upload.pk]),
        cancel=reverse("upload-cancel", args=[upload.pk]),
        retry=reverse("upload-retry", args=[upload.pk]),
        remove=reverse("upload-remove-rejected", args=[upload.pk]),
        restore=reverse("upload-restore-removed", args=[upload.pk]),
    )
