"""Uploading a corrected record: with the options of the upload that it corrects."""

from dataclasses import replace

from django.contrib.auth.models import AbstractBaseUser

from games.models import Upload
from games.uploads.origin import Origin, UploadOptions


def corrected_origin(upload: Upload, account: AbstractBaseUser | None, *, publish: bool = False) -> Origin:
    """Return the origin of a correction: all options of the upload, of which another account gets only what is its own.

    :param publish: whether a record that was only checked is published now.
    """
    own = account is not None and upload.uploader_id == account.pk
    options = UploadOptions.of(upload)
    if not own:
        options = replace(options, club=None, webhook="")
    if publish:
        options = replace(options, dry_run=False)
    return Origin(Upload.Via.WEB, account, options)
