"""Duplicates: the same file of the same account with the same options, uploaded again.

Two accounts' uploads are never duplicates of each other: each may confirm its games. A file sent in pieces has an
address before its bytes are known: it is recognised before it is split, and then only names the earlier upload.
"""

from games.models import Upload
from games.platform.locks import wait_for
from games.uploads.origin import UploadOptions


def recognise(upload: Upload, digest: str) -> Upload | None:
    """Store the digest of a file, in the current transaction, before the upload itself is locked.

    :param digest: of all its bytes.
    :returns: the earlier upload of the same file; none if this is the first.
    """
    options = UploadOptions.of(upload)
    earlier = find_earlier(upload.uploader_id, digest, options, but=upload) if upload.uploader_id else None
    if earlier is None:
        Upload.objects.filter(pk=upload.pk).update(file_digest=digest)
    return earlier


def find_earlier(uploader: int, digest: str, options: UploadOptions, *, but: Upload | None = None) -> Upload | None:
    """Find the first upload of a file that was neither cancelled nor refused.

    Of two that are submitted at once, one waits for the other's transaction.

    :param but: the upload of this file itself, if it has one already.
    """
    wait_for(f"file/{uploader}/{digest}")
    same = Upload.objects.filter(
        uploader=uploader,
        file_digest=digest,
        scored=options.scored,
        private=options.private,
        club=options.club,
        dry_run=options.dry_run,
    )
    if options.webhook:
        same = same.filter(delivery__url=options.webhook)
    over = (Upload.State.CANCELLED, Upload.State.REFUSED)
    others = same.exclude(pk=but.pk) if but else same
    return others.exclude(state__in=over).order_by("received_at").first()
