"""The one entrance for whole files: from pages, API, command line and the sample games.

A small plain file is cut in the request, any other stored for a worker to split. The same file of the same account
with the same options is stored once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q

from engine.quoting import printable
from games.models import Entry, Upload
from games.uploads import files
from games.uploads.cutting import NotAtOnceError, cut_at_once
from games.uploads.duplicates import find_earlier
from games.uploads.logs import Placed, add_logs
from games.uploads.origin import Origin, check_options, new_upload
from games.uploads.source import Source


@dataclass(frozen=True, slots=True)
class Submission:
    """An upload, and whether it was there before."""

    upload: Upload
    again: bool


def submit(source: Source, origin: Origin, *, now: datetime) -> Submission:
    """Accept a file, unless its account has uploaded it before with the same options.

    :raises IntakeError: when it is refused; nothing of it is kept then.
    :raises WebhookError: when the account may have no webhook.
    """
    if origin.uploader is None:
        return Submission(_take_in(source, origin, now), again=False)
    if source.is_whole:
        return _submit_whole(source, origin, origin.uploader, now)
    upload = _take_in(source, origin, now)
    return _unless_known(upload, source.digest(), origin, origin.uploader)


@transaction.atomic
def _submit_whole(source: Source, origin: Origin, uploader: AbstractBaseUser, now: datetime) -> Submission:
    """Submit a file whose digest is known before anything of it is stored."""
    if earlier := find_earlier(uploader.pk, source.digest(), origin.options):
        return Submission(earlier, again=True)
    upload = _take_in(source, origin, now)
    Upload.objects.filter(pk=upload.pk).update(file_digest=source.digest())
    return Submission(upload, again=False)


@transaction.atomic
def _unless_known(upload: Upload, digest: str, origin: Origin, uploader: AbstractBaseUser) -> Submission:
    """Return the earlier upload of a long file, whose digest is known only when all of it is stored; or the new one."""
    earlier = find_earlier(uploader.pk, digest, origin.options, but=upload)
    untouched = Q(state=Upload.State.WAITING, split_logs=0) | Q(repeats__isnull=False)
    fresh = Upload.objects.select_for_update(of=("self",)).filter(untouched, pk=upload.pk).first()
    if earlier and fresh:  # a worker may have begun: let it go on
        fresh.delete()
        return Submission(earlier, again=True)
    Upload.objects.filter(pk=upload.pk).update(file_digest=digest)
    return Submission(upload, again=False)


def _take_in(source: Source, origin: Origin, now: datetime) -> Upload:
    """Cut a file now, if it is small and plain; else store it to be split."""
    check_options(origin)
    try:
        records = cut_at_once(source)
    except NotAtOnceError:
        if not origin.may_store:
            raise
        return files.store(source, origin, now=now)
    with transaction.atomic():
        upload = new_upload(origin, source.filename, now=now, split_logs=len(records))
        entries = _entries(upload, [name for name, _ in records])
        placed = (Placed(number, record, entries.get(name)) for number, (name, record) in enumerate(records, 1))
        add_logs(upload.pk, placed, now=now)
    return upload


def _entries(upload: Upload, names: Sequence[str]) -> dict[str, int]:
    """Return the rows of several files with records, by their names."""
    several = list(dict.fromkeys(filter(None, names)))
    rows = (Entry(upload=upload, number=at, name=printable(name, "")[-255:]) for at, name in enumerate(several, 1))
    return {name: row.pk for name, row in zip(several, Entry.objects.bulk_create(rows), strict=True)}
