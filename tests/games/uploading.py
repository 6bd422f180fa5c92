"""Uploads for tests, through the function that pages, API and commands use."""

import io
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser

from games.models import Upload
from games.uploads import files
from games.uploads.origin import SCORED, Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import submit


def upload_file(
    data: bytes,
    *,
    via: Upload.Via,
    now: datetime,
    uploader: AbstractBaseUser | None = None,
    filename: str = "",
    options: UploadOptions = SCORED,
) -> Upload:
    """Return the upload of a file that is new for its account."""
    submission = submit(Source.of(data, filename), Origin(via, uploader, options), now=now)
    assert not submission.again, "this account has uploaded this file before"
    return submission.upload


def store_file(data: bytes, uploader: AbstractBaseUser, now: datetime, options: UploadOptions = SCORED) -> Upload:
    """Return the upload of a file that came in pieces, and waits to be split."""
    upload = files.begin(len(data), Origin(Upload.Via.API, uploader, options), now=now, filename="evening")
    files.append(upload.pk, 0, io.BytesIO(data), len(data), now=now)
    return upload
