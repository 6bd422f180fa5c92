"""Taking in: a file becomes an upload with a log for each record in it, waiting to be verified."""

import io
from datetime import datetime
from itertools import islice

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from engine.agn.cut import cut
from engine.agn.log import Record
from games.models import MoveLog, Upload

MAX_BYTES = 8 * 1024 * 1024
"""Of one upload. One game has at most 256 KiB."""
MAX_GAMES = 2_000
"""In one upload."""
MAX_LINES = 200_000
"""In one upload: each costs a moment of the request, and no game has many."""


class IntakeError(ValueError):
    """An upload that cannot be taken in; nothing of it was stored. `code` names the reason for programs."""

    def __init__(self, code: str, template: str, /, **params: object) -> None:
        super().__init__(template.format(**params))
        self.code = code
        self.template = template
        self.params = params


def take_in(
    data: bytes, *, via: Upload.Via, now: datetime, uploader: AbstractBaseUser | None = None, filename: str = ""
) -> Upload:
    """Stores a file's records as logs that wait for verification.

    :raises IntakeError: when the file is empty, or too large.
    """
    records = _cut(data)
    with transaction.atomic():
        upload = Upload.objects.create(
            uploader_id=uploader.pk if uploader else None, via=via, filename=_tidy(filename), received_at=now
        )
        MoveLog.objects.bulk_create(_log_of(upload, record) for record in records)
    return upload


def _cut(data: bytes) -> list[Record]:
    if len(data) > MAX_BYTES:
        raise IntakeError("too_large", "An upload has at most {most} bytes.", most=MAX_BYTES)
    if data.count(b"\n") > MAX_LINES:
        raise IntakeError("too_many_lines", "An upload has at most {most} lines.", most=MAX_LINES)
    records = list(islice(cut(io.BytesIO(data)), MAX_GAMES + 1))
    if not records:
        raise IntakeError("empty", "There is no game in this upload.")
    if len(records) > MAX_GAMES:
        raise IntakeError("too_many_games", "An upload has at most {most} games.", most=MAX_GAMES)
    return records


def _log_of(upload: Upload, record: Record) -> MoveLog:
    return MoveLog(
        upload=upload,
        number=record.game,
        line=record.line,
        form=record.form,
        queued_at=upload.received_at,
        data=record.data,
        too_long=record.too_long,
    )


def _tidy(filename: str) -> str:
    """The last part of a file's name, printable, short enough to keep."""
    name = filename.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(char for char in name if char.isprintable())[-255:]
