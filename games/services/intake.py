"""Taking in: a file becomes an upload with a log for each record in it, waiting to be verified."""

import io
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from engine.agn.cut import cut
from engine.agn.log import Record
from games.models import League, MoveLog, Upload
from games.services.refusals import RefusedError

MAX_BYTES = 8 * 1024 * 1024
"""Of one upload. One game has at most 256 KiB."""
MAX_GAMES = 2_000
"""In one upload."""
MAX_LINES = 200_000
"""In one upload: each costs a moment of the request, and no game has many."""


class IntakeError(RefusedError):
    """An upload that cannot be taken in; nothing of it was stored."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to become of an upload's games besides being verified."""

    scored: bool = True
    """Whether they may count; training games never do."""
    private: bool = False
    """Whether only those who uploaded or played may see them."""
    league: League | None = None
    """For whose ladders they count, on an organiser's word."""


SCORED = Wish()


def take_in(
    data: bytes,
    *,
    via: Upload.Via,
    now: datetime,
    uploader: AbstractBaseUser | None = None,
    filename: str = "",
    wish: Wish = SCORED,
) -> Upload:
    """Stores a file's records as logs that wait for verification.

    :raises IntakeError: when the file is empty, or too large, or what is wished for it cannot be.
    """
    _check_wish(wish, uploader)
    records = _cut(data)
    with transaction.atomic():
        upload = Upload.objects.create(
            uploader_id=uploader.pk if uploader else None,
            via=via,
            filename=_tidy(filename),
            received_at=now,
            scored=wish.scored,
            private=wish.private,
            league=wish.league,
            split_logs=len(records),
        )
        MoveLog.objects.bulk_create(_log_of(upload, record) for record in records)
    return upload


def _check_wish(wish: Wish, uploader: AbstractBaseUser | None) -> None:
    if wish.private and uploader is None:
        raise IntakeError("private_of_nobody", "Only somebody with an account can have private games.")
    if wish.league is None:
        return
    if wish.private or not wish.scored:
        raise IntakeError("league_of_private", "Games that count in a league are neither private nor for training.")
    if uploader is None or not wish.league.organisers.filter(pk=uploader.pk).exists():
        raise IntakeError("not_organiser", "Only its organisers accept games for {league}.", league=wish.league.name)


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
