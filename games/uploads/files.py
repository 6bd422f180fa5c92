"""Receiving files: small plain ones are cut at once, all others stored in pieces, as they come."""

from datetime import datetime, timedelta
from hashlib import sha1, sha256
from typing import Protocol
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, Sum

from games.models import Archive, Upload
from games.uploads import storage, submit
from games.uploads.submit import IntakeError, Origin
from games.uploads.unpacking.errors import UnpackError
from games.uploads.unpacking.formats import Format, format_of

CHECKSUMS = {"sha1": sha1, "sha256": sha256}
"""By which a piece can be checked."""
_TOO_MANY = frozenset({"too_many_lines", "too_many_games"})
"""What a file has that is too long to be cut in the request."""


class Stream(Protocol):
    """What a file is read from."""

    def read(self, size: int, /) -> bytes:
        """Some bytes; none at the end."""


def receive(stream: Stream, size: int, origin: Origin, *, now: datetime) -> Upload:
    """Takes a file in as quickly as it can be: a small plain one is cut at once, any other stored to be split.

    :param size: how many bytes the stream has.
    :raises IntakeError: when it is not taken; nothing of it is kept then.
    """
    head = _filled(stream, submit.MAX_BYTES + 1)
    may_store = origin.uploader is not None or origin.via == Upload.Via.COMMAND
    if len(head) > submit.MAX_BYTES or _format(head) is not Format.PLAIN:
        if not may_store:
            raise _without_account(head)
    else:
        try:
            return _cut_at_once(head, origin, now)
        except IntakeError as error:
            if not may_store or error.code not in _TOO_MANY:
                raise
    return _stored(_Joined(head, stream), size, origin, now)


def _cut_at_once(data: bytes, origin: Origin, now: datetime) -> Upload:
    return submit.take_in(
        data, via=origin.via, now=now, uploader=origin.uploader, filename=origin.filename, wish=origin.wish
    )


def _stored(stream: Stream, size: int, origin: Origin, now: datetime) -> Upload:
    upload = begin(size, origin, now=now)
    if append(upload.pk, 0, stream, size, now=now) < size:
        upload.delete()
        raise IntakeError("incomplete", "The file did not come to its end.")
    upload.refresh_from_db()
    return upload


def _format(head: bytes) -> Format:
    try:
        return format_of(head)
    except UnpackError as error:
        raise IntakeError.of(error.code, error.said) from None


def _without_account(head: bytes) -> IntakeError:
    if len(head) > submit.MAX_BYTES:
        return submit.too_large()
    return IntakeError("account_needed", "Packed files are taken from those who are signed in.")


class _Joined:
    """What was read already, and what is to come."""

    def __init__(self, head: bytes, rest: Stream) -> None:
        self._head, self._rest = memoryview(head), rest

    def read(self, size: int, /) -> bytes:
        """Some bytes."""
        if not self._head:
            return self._rest.read(size)
        found, self._head = bytes(self._head[:size]), self._head[size:]
        return found


def _filled(stream: Stream, size: int) -> bytes:
    """So many bytes, or all there are."""
    parts, missing = list[bytes](), size
    while missing and (part := stream.read(missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


@transaction.atomic
def begin(length: int, origin: Origin, *, now: datetime, mark: str = "") -> Upload:
    """Begins an upload whose bytes are to come.

    :param mark: by what the sender knows the file again.
    :raises IntakeError: when it is too large, or there are too many, or what is wished for it cannot be.
    """
    submit.check_options(origin.wish, origin.uploader)
    if length < 1:
        raise submit.nothing_in_it()
    if length > settings.UPLOAD_MAX_BYTES:
        raise IntakeError("too_large", "A file has at most {most} bytes.", most=settings.UPLOAD_MAX_BYTES)
    if origin.uploader is not None:
        _check_room(origin.uploader, length)
    upload = submit.new_upload(origin, now=now, state=Upload.State.RECEIVING)
    Archive.objects.create(upload=upload, length=length, touched_at=now, mark=mark[:100])
    return upload


def _check_room(uploader: AbstractBaseUser, length: int) -> None:
    """Refuses what an account has no room for; of two that come together one waits for the other."""
    get_user_model().objects.select_for_update(no_key=True).get(pk=uploader.pk)
    unsplit = Archive.objects.filter(upload__uploader=uploader.pk, upload__state__in=Upload.UNSPLIT)
    held = unsplit.aggregate(files=Count("pk"), bytes=Sum("length", default=0))
    if held["files"] >= settings.UPLOAD_MAX_OPEN:
        most = settings.UPLOAD_MAX_OPEN
        raise IntakeError(
            "too_many_open", "At most {most} files of one account are received or unpacked at a time.", most=most
        )
    if held["bytes"] + length > settings.UPLOAD_MAX_STORED:
        most = settings.UPLOAD_MAX_STORED
        raise IntakeError(
            "no_room", "At most {most} bytes of one account wait to be unpacked; some have to be first.", most=most
        )


class MisplacedError(Exception):
    """Bytes that do not go on where those that are here end; `expected` is where that is."""

    def __init__(self, expected: int) -> None:
        super().__init__(f"expected bytes from {expected} on")
        self.expected = expected


class CorruptedError(Exception):
    """Bytes that are not what their checksum says; none of them was kept."""


def append(upload: UUID, offset: int, stream: Stream, size: int, *, now: datetime) -> int:
    """Keeps bytes as they come: what came before a connection broke stays.

    :param offset: where in the file they belong.
    :returns: where they end.
    :raises MisplacedError: when they belong elsewhere, or nothing more belongs here.
    """
    while size and (data := _filled(stream, min(size, storage.CHUNK))):
        _add(upload, offset, data, now)
        offset += len(data)
        size -= len(data)
    return offset


@transaction.atomic
def append_checked(
    upload: UUID, offset: int, stream: Stream, size: int, checksum: tuple[str, bytes], *, now: datetime
) -> int:
    """Keeps bytes if all of them come and are what a checksum says: by one of CHECKSUMS, and its value.

    :raises CorruptedError: when they are not.
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
        """Some bytes."""
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
    """Removes uploads of which no more came for long. :returns: how many."""
    before = now - timedelta(hours=settings.UPLOAD_PATIENCE)
    stale = Upload.objects.filter(state=Upload.State.RECEIVING, archive__touched_at__lt=before)
    return stale.delete()[1].get("games.Upload", 0)
