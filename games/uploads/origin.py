"""The origin of an upload: its account, how it was sent, its options; and its row."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.contrib.auth.models import AbstractBaseUser

from engine.quoting import printable
from games.models import Club, Delivery, Upload
from games.platform.errors import RefusedError
from games.platform.pauses import Part, is_paused
from games.webhooks import deliveries


class IntakeError(RefusedError):
    """An upload that is refused; nothing of it was stored."""


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """What happens to an upload's games besides being verified."""

    scored: bool = True
    """Whether they may count; training games never do."""
    private: bool = False
    """Whether only the uploader may see them, and players whose claim that account approved."""
    club: Club | None = None
    """In whose ladders they count; the uploader must be an organiser."""
    webhook: str = ""
    """The address to notify when the upload is done."""
    dry_run: bool = False
    """Whether they are only checked: nothing is published, and the report is kept for a day."""

    @classmethod
    def of(cls, upload: Upload) -> Self:
        """Return the options with which an upload was sent."""
        url = Delivery.objects.filter(upload=upload).values_list("url", flat=True).first()
        return cls(upload.scored, upload.private, upload.club, url or "", upload.dry_run)


SCORED = UploadOptions()


@dataclass(frozen=True, slots=True)
class Origin:
    """Who uploads a file, in which way and with which options."""

    via: Upload.Via
    uploader: AbstractBaseUser | None = None
    options: UploadOptions = SCORED

    @property
    def may_store(self) -> bool:
        """Return whether files may be stored to be split later: of accounts, and from the command line."""
        return self.uploader is not None or self.via == Upload.Via.COMMAND


def check_options(origin: Origin) -> None:
    """Check that the sender may use these options together.

    :raises IntakeError: when not, with the reason.
    :raises WebhookError: when the account may have no webhook.
    """
    options, uploader = origin.options, origin.uploader
    if origin.via != Upload.Via.PLAYED:  # games played here can still end
        check_intake()
    if options.private and uploader is None:
        raise IntakeError("private_of_nobody", "Private games need an account. Sign in first.")
    if options.webhook:
        deliveries.check(options.webhook, uploader)
    if options.club is None:
        return
    if options.private or not options.scored:
        raise IntakeError("club_of_private", "Games for a club cannot be private or training games.")
    if uploader is None or not options.club.organisers.filter(pk=uploader.pk).exists():
        raise IntakeError("not_organiser", "Only organisers of {club} can upload its games.", club=options.club.name)


def check_intake() -> None:
    """Check that operators have not paused the intake. :raises IntakeError: when they have."""
    if is_paused(Part.INTAKE):
        raise IntakeError("intake_paused", "Uploads are paused for maintenance. Try again later.")


def new_upload(
    origin: Origin,
    filename: str = "",
    *,
    now: datetime,
    state: Upload.State = Upload.State.VERIFYING,
    split_logs: int = 0,
) -> Upload:
    """Create an upload's row, and its webhook if it has one. The options were checked."""
    options = origin.options
    upload = Upload.objects.create(
        uploader_id=origin.uploader.pk if origin.uploader else None,
        via=origin.via,
        filename=tidy(filename),
        received_at=now,
        scored=options.scored,
        private=options.private,
        club=options.club,
        dry_run=options.dry_run,
        state=state,
        split_logs=split_logs,
    )
    if options.webhook:
        deliveries.order(upload, options.webhook, now=now)
    return upload


def tidy(filename: str) -> str:
    """Return the last part of a file's name, printable and at most 255 characters long."""
    name = filename.replace("\\", "/").rsplit("/", 1)[-1]
    return printable(name, "")[-255:]
