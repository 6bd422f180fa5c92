"""Files that are stored, in pieces as they arrive, before they are split."""

from datetime import datetime, timedelta
from hashlib import sha1, sha256
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, Sum

from games.models import Archive, Upload
from games.uploads import storage
from games.uploads.cutting import nothing_in_it
from games.uploads.origin import IntakeError, Origin, check_intake, check_options, new_upload
from games.uploads.source import Source, Stream, read_up_to

CHECKSUMS = {"sha1": sha1, "sha256": sha256}
"""By which a piece can be checked."""


def store(source: Source, origin: Origin, *, now: datetime) -> Upload:
    """Store a file that is sent in one piece; its options were checked.

    :raises IntakeError: when it is refused or incomplete; nothing of it is kept then.
    """
    upload = _begin(source.size, origin, source.filename, "", now)
    if append(upload.pk, 0, source, source.size, now=now) < source.size:
        upload.delete()
        raise IntakeError("incomplete", "The file is incomplete.")
    upload.refresh_from_db()
    return upload


def begin(length: int, origin: Origin, *, now: datetime, filename: str = "", mark: str = "") -> Upload:
    """Begin an upload whose bytes are sent in pieces.

    :param mark: the sender's mark to find the file again.
    :raises IntakeError: when it is too large, the account has too many, or its options are not allowed.
    :raises WebhookError: when the account may have no webhook.
    """
    check_options(origin)
    return _begin(length, origin, filename, mark, now)


@transaction.atomic
def _begin(length: int, origin: Origin, filename: str, mark: str, now: datetime) -> Upload:
    if length < 1:
        raise nothing_in_it()
    if length > settings.UPLOAD_MAX_BYTES:
        raise IntakeError("too_large", "A file may have at most {most} bytes.", most=settings.UPLOAD_MAX_BYTES)
    if origin.uploader is not None:
        _check_room(origin.uploader, length)
    upload = new_upload(origin, filename, now=now, state=Upload.State.RECEIVING)
    Archive.objects.create(upload=upload, length=length, touched_at=now, mark=mark[:100])
    return upload


def _check_room(uploader: AbstractBaseUser, length: int) -> None:
    """Refuse what an account has no room for; of two files at once, one waits for the other.

    :raises IntakeError: with the reason.
    """
    get_user_model().objects.select_for_update(no_key=True).get(pk=uploader.pk)
    unsplit = Archive.objects.filter(upload__uploader=uploader.pk, upload__state__in=Upload.UNSPLIT)
    held = unsplit.aggregate(files=Count("pk"), bytes=Sum("length", default=0))
    if held["files"] >= settings.UPLOAD_MAX_OPEN:
        most = settings.UPLOAD_MAX_OPEN
        raise IntakeError(
            "too_many_open",
            "One account can have at most {most} files being received or unpacked at a time.",
            most=most,
        )
    if held["bytes"] + length > settings.UPLOAD_MAX_STORED:
        most = settings.UPLOAD_MAX_STORED
        raise IntakeError(
            "no_room",
            "One account can have at most {most} bytes waiting to be unpacked. Try again when some are unpacked.",
            most=most,
        )


class MisplacedError(Exception):
    """Bytes that do not continue the file; `expected` is the offset of the next ones."""

    def __init__(self, expected: int) -> None:
        super().__init__(f"expected bytes from {expected} on")
        self.expected = expected


class CorruptedError(Exception):
    """Bytes that do not match their checksum; none of them was kept."""


def append(upload: UUID, offset: int, stream: Stream, size: int, *, now: datetime) -> int:
    """Store bytes as they arrive, so that a broken connection loses none of them.

    :param offset: where in the file they belong.
    :returns: where they end.
    :raises MisplacedError: when they belong elsewhere, or nothing more belongs here.
    :raises IntakeError: while operators have paused the intake.
    """
    check_intake()
    while size and (data := read_up_to(stream, min(size, storage.CHUNK))):
        _add(upload, offset, data, now)
        offset += len(data)
        size -= len(data)
    return offset


@transaction.atomic
def append_checked(
    upload: UUID, offset: int, stream: Stream, size: int, checksum: tuple[str, bytes], *, now: datetime
) -> int:
    """Store bytes if all of them arrive and match a checksum: the name of one of CHECKSUMS, and its value.

    :raises CorruptedError: when they do not.
    """
    hashed = _Hashed(stream, checksum[0])
    end = append(upload, offset, hashed, size, now=now)
    if hashed.digest() != checksum[1]:
        raise CorruptedError
    return end


class _Hashed:
    """A stream that is hashed as it is read."""

    def __init__(self, stream: Stream, kind: str) -> None:
        self._stream, self._hash = stream, CHECKSUMS[kind]()
        self.digest = self._hash.digest

    def read(self, size: int, /) -> bytes:
        """Return some bytes; none at the end."""
        data = self._stream.read(size)
        self._hash.update(data)
        return data


@transaction.atomic
def _add(upload: UUID, offset: int, data: bytes, now: datetime) -> None:
    held = Upload.objects.select_for_update(no_key=True).filter(pk=upload).first()
    archive = Archive.objects.filter(pk=upload).first()
    if held is None or archive is None:
        raise MisplacedError(0)
    fits = archive.received == offset and offset + len(data) <= archive.length
    if not fits or held.state != Upload.State.RECEIVING:
        raise MisplacedError(archive.received)
    storage.keep(upload, offset, data)
    received = offset + len(data)
    Archive.objects.filter(pk=upload).update(received=received, touched_at=now)
    if received == archive.length:
        Upload.objects.filter(pk=upload).update(state=Upload.State.WAITING)


def forget_unfinished(*, now: datetime) -> int:
    """Remove unfinished uploads that got no bytes for a long time. :returns: how many."""
    before = now - timedelta(hours=settings.UPLOAD_PATIENCE)
    stale = Upload.objects.filter(state=Upload.State.RECEIVING, archive__touched_at__lt=before)
    return stale.delete()[1].get("games.Upload", 0)
