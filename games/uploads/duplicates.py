"""Repeats: the same file by the same account with the same wishes is answered with what became of it, and not stored.

A file of somebody else is its own, whatever its bytes: it may be a seat's word for the games in it. A file that came
in pieces has an address before it is known: it is recognised before it is split, and then only says what it repeats.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q

from games.models import Upload
from games.platform.locks import wait_for
from games.uploads import files
from games.uploads.submit import MAX_BYTES, Origin, UploadOptions

_PIECE = 2**20
"""Bytes read at once."""


class Body:
    """What was sent: its beginning, which is all of it unless it is long, and the rest, which can be read once."""

    def __init__(self, stream: files.Stream, size: int, filename: str = "") -> None:
        self.size, self.filename = size, filename
        self._head, self._rest = _read(stream, MAX_BYTES + 1), stream
        self.is_whole = len(self._head) <= MAX_BYTES
        self._hash, self._at = sha256(self._head), 0

    @property
    def head(self) -> bytes:
        """The beginning, which is all of it unless it is long."""
        return self._head

    def read(self, size: int, /) -> bytes:
        """Some bytes."""
        data = self._head[self._at : self._at + size]
        self._at += len(data)
        if not data:
            data = self._rest.read(size)
            self._hash.update(data)
        return data

    def digest(self) -> str:
        """Of all of it; what nobody has read yet of a long one is read for that."""
        while not self.is_whole and self.read(_PIECE):
            pass
        return self._hash.hexdigest()


def _read(stream: files.Stream, size: int) -> bytes:
    parts = list[bytes]()
    while size and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


@dataclass(frozen=True, slots=True)
class Submission:
    """An upload, and whether it was there before."""

    upload: Upload
    again: bool


def submit(body: Body, origin: Origin, *, now: datetime) -> Submission:
    """Takes a file in, unless the account has handed it in before.

    :raises IntakeError: when it is not taken.
    """
    uploader = origin.uploader
    if uploader is None:
        return Submission(files.receive(body, body.size, origin, now=now), again=False)
    if not body.is_whole:
        upload = files.receive(body, body.size, origin, now=now)
        return _unless_known(upload, body.digest(), uploader, origin)
    with transaction.atomic():
        if earlier := _earlier(uploader.pk, body.digest(), origin.wish):
            return Submission(earlier, again=True)
        upload = files.receive(body, body.size, origin, now=now)
        Upload.objects.filter(pk=upload.pk).update(file_digest=body.digest())
    return Submission(upload, again=False)


@transaction.atomic
def _unless_known(upload: Upload, digest: str, uploader: AbstractBaseUser, origin: Origin) -> Submission:
    """The upload of a long file, which is known only when it was read to its end; or the one before."""
    earlier = _earlier(uploader.pk, digest, origin.wish, but=upload)
    untouched = Q(state=Upload.State.WAITING, split_logs=0) | Q(repeats__isnull=False)
    fresh = Upload.objects.select_for_update(of=("self",)).filter(untouched, pk=upload.pk).first()
    if earlier and fresh:  # what a worker has begun goes on
        fresh.delete()
        return Submission(earlier, again=True)
    Upload.objects.filter(pk=upload.pk).update(file_digest=digest)
    return Submission(upload, again=False)


def recognise(upload: Upload, digest: str) -> Upload | None:
    """Notes what a stored file is, within the transaction under way, before the upload itself is held.

    :param digest: of all its bytes.
    :returns: the upload of the same file that is there already, and stands; none if this is the first.
    """
    earlier = _earlier(upload.uploader_id, digest, UploadOptions.of(upload), but=upload) if upload.uploader_id else None
    if earlier is None:
        Upload.objects.filter(pk=upload.pk).update(file_digest=digest)
    return earlier


def _earlier(uploader: int, digest: str, wish: UploadOptions, *, but: Upload | None = None) -> Upload | None:
    """The same file as it was handed in before; of two that come together one waits for the other."""
    wait_for(f"file/{uploader}/{digest}")
    same = Upload.objects.filter(
        uploader=uploader,
        file_digest=digest,
        scored=wish.scored,
        private=wish.private,
        league=wish.league,
        dry_run=wish.dry_run,
    )
    if wish.webhook:
        same = same.filter(delivery__url=wish.webhook)
    over = (Upload.State.CANCELLED, Upload.State.REFUSED)
    others = same.exclude(pk=but.pk) if but else same
    return others.exclude(state__in=over).order_by("received_at").first()
