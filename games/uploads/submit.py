"""Taking in: a file becomes an upload with a log for each record in it, waiting to be verified."""

import io
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Self

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from engine.agn.cut import cut
from engine.agn.log import Record
from games.models import Delivery, League, Upload
from games.platform.errors import RefusedError
from games.uploads.logs import Placed, add_logs
from games.webhooks import deliveries

MAX_BYTES = 8 * 1024 * 1024
"""Of an upload that is cut in the request, as all of those without an account are. One game has at most 256 KiB."""
MAX_GAMES = 2_000
"""In such an upload."""
MAX_LINES = 200_000
"""In such an upload: each costs a moment of the request, and no game has many."""


class IntakeError(RefusedError):
    """An upload that cannot be taken in; nothing of it was stored."""


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """What is to become of an upload's games besides being verified."""

    scored: bool = True
    """Whether they may count; training games never do."""
    private: bool = False
    """Whether only the uploader may see them, and who has a name in them by that one."""
    league: League | None = None
    """For whose ladders they count, on an organiser's word."""
    webhook: str = ""
    """Which address is told when the upload is done."""
    dry_run: bool = False
    """Whether they are only judged: no game comes of them, and after a day nothing is left."""

    @classmethod
    def of(cls, upload: Upload) -> Self:
        """Return what was wished for an upload."""
        told = Delivery.objects.filter(upload=upload).values_list("url", flat=True).first()
        return cls(upload.scored, upload.private, upload.league, told or "", upload.dry_run)


SCORED = UploadOptions()


@dataclass(frozen=True, slots=True)
class Origin:
    """Who hands a file in, by which door, under what name, and with what wish."""

    via: Upload.Via
    uploader: AbstractBaseUser | None = None
    filename: str = ""
    wish: UploadOptions = SCORED


def take_in(
    data: bytes,
    *,
    via: Upload.Via,
    now: datetime,
    uploader: AbstractBaseUser | None = None,
    filename: str = "",
    wish: UploadOptions = SCORED,
) -> Upload:
    """Stores a small plain file's records as logs that wait for verification.

    :raises IntakeError: when the file is empty, or too large, or what is wished for it cannot be.
    """
    check_options(wish, uploader)
    records = _cut(data)
    with transaction.atomic():
        upload = new_upload(Origin(via, uploader, filename, wish), now=now, split_logs=len(records))
        add_logs(upload.pk, (Placed(record.game, record) for record in records), now=now)
    return upload


def new_upload(
    origin: Origin, *, now: datetime, state: Upload.State = Upload.State.VERIFYING, split_logs: int = 0
) -> Upload:
    """An upload's row. What is wished for it was checked."""
    upload = Upload.objects.create(
        uploader_id=origin.uploader.pk if origin.uploader else None,
        via=origin.via,
        filename=_tidy(origin.filename),
        received_at=now,
        scored=origin.wish.scored,
        private=origin.wish.private,
        league=origin.wish.league,
        dry_run=origin.wish.dry_run,
        state=state,
        split_logs=split_logs,
    )
    if origin.wish.webhook:
        deliveries.order(upload, origin.wish.webhook, now=now)
    return upload


def check_options(wish: UploadOptions, uploader: AbstractBaseUser | None) -> None:
    """Refuses what cannot be. :raises IntakeError: with the reason."""
    if wish.private and uploader is None:
        raise IntakeError("private_of_nobody", "Only somebody with an account can have private games.")
    if wish.webhook:
        deliveries.check(wish.webhook, uploader)
    if wish.league is None:
        return
    if wish.private or not wish.scored:
        raise IntakeError("league_of_private", "Games that count in a league are neither private nor for training.")
    if uploader is None or not wish.league.organisers.filter(pk=uploader.pk).exists():
        raise IntakeError("not_organiser", "Only its organisers accept games for {league}.", league=wish.league.name)


def too_large() -> IntakeError:
    """What is more than one can hand in who has no account."""
    return IntakeError("too_large", "Without an account an upload has at most {most} bytes.", most=MAX_BYTES)


def nothing_in_it() -> IntakeError:
    """A file without a game."""
    return IntakeError("empty", "There is no game in this upload.")


def _cut(data: bytes) -> list[Record]:
    if len(data) > MAX_BYTES:
        raise too_large()
    if data.count(b"\n") > MAX_LINES:
        raise IntakeError("too_many_lines", "An upload has at most {most} lines.", most=MAX_LINES)
    records = list(islice(cut(io.BytesIO(data)), MAX_GAMES + 1))
    if not records:
        raise nothing_in_it()
    if len(records) > MAX_GAMES:
        raise IntakeError("too_many_games", "An upload has at most {most} games.", most=MAX_GAMES)
    return records


def _tidy(filename: str) -> str:
    """The last part of a file's name, printable, short enough to keep."""
    name = filename.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(char for char in name if char.isprintable())[-255:]
