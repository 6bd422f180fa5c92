"""The upload form: its limits, and incomplete uploads."""

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from games.models import Archive
from games.records.reads.visibility import Viewer
from games.uploads.cutting import MAX_GAMES
from games.uploads.reads.pace import counted
from games.uploads.reads.progress import unfinished_files
from games.uploads.source import MAX_BYTES


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A file that has not arrived completely."""

    name: str
    mark: str
    """By what the script knows it again."""
    percent: int
    address: str
    """Where its pieces go."""
    page: str
    cancel: str


@dataclass(frozen=True, slots=True)
class UploadFormPage:
    """What the reader may upload."""

    most: int
    """Bytes of a file."""
    small: int
    """Bytes of a plain one that is cut at once."""
    form: int
    """Bytes in one form, which is how it is sent without the script."""
    games: str
    files: str
    """Where files are sent in pieces; empty for those without an account."""
    unfinished: tuple[Unfinished, ...]


def upload_form_page(viewer: Viewer, *, form_bytes: int) -> UploadFormPage:
    """Return the limits and the unfinished files of a viewer's upload form."""
    if not viewer.is_authenticated:
        return UploadFormPage(MAX_BYTES, MAX_BYTES, form_bytes, counted(MAX_GAMES), "", ())
    return UploadFormPage(
        most=settings.UPLOAD_MAX_BYTES,
        small=MAX_BYTES,
        form=form_bytes,
        games=counted(settings.UPLOAD_MAX_GAMES),
        files=reverse("api-upload-files"),
        unfinished=tuple(map(_unfinished, unfinished_files(viewer.pk))),
    )


def _unfinished(archive: Archive) -> Unfinished:
    upload = archive.upload
    return Unfinished(
        name=upload.filename,
        mark=archive.mark,
        percent=100 * archive.received // archive.length,
        address=reverse("api-upload-file", args=[upload.pk]),
        page=upload.get_absolute_url(),
        cancel=reverse("upload-cancel", args=[upload.pk]),
    )
