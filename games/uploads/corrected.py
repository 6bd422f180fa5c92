"""Correcting a rejected record: the corrected one is an upload of its own, with the options of the first."""

from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from engine.agn.log import MAX_TEXT, Record
from engine.verify import verify
from games.models import CorrectedRecord, MoveLog, Upload
from games.models.records import VerdictKind
from games.records.reads.replays import record_of
from games.uploads.cutting import cut_at_once
from games.uploads.origin import IntakeError, Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import Submission, submit


def corrected_origin(
    upload: Upload, account: AbstractBaseUser | None, *, via: Upload.Via = Upload.Via.WEB, publish: bool = False
) -> Origin:
    """Return the origin of a correction: all options of the upload, of which another account gets only what is its own.

    :param publish: whether a record that was only checked is published now.
    """
    options = UploadOptions.of(upload)
    if not _is_own(upload, account):
        options = replace(options, club=None, webhook="")
    if publish:
        options = replace(options, dry_run=False)
    return Origin(via, account, options)


def correct(log: MoveLog, data: bytes, origin: Origin, *, now: datetime) -> Submission:
    """Upload a legal record in place of a rejected one; if both are of one account, link them under one file name.

    :raises IntakeError: when the log was not rejected, or the text is not one legal record.
    """
    if log.verdict != VerdictKind.REJECTED:
        raise IntakeError("not_rejected", "Only a rejected record can be corrected.")
    _check_one_legal(log, data)
    own = _is_own(log.upload, origin.uploader)
    filename = log.entry.name if log.entry else log.upload.filename
    with transaction.atomic():
        found = submit(Source.of(data, filename if own else ""), origin, now=now)
        if own:
            correction = MoveLog.objects.only("pk").get(upload=found.upload, number=1)
            CorrectedRecord.objects.update_or_create(rejected=log, defaults={"correction": correction})
    return found


def corrected_record(stored: Record, text: bytes) -> Record:
    """Return a record with another text, which is checked today."""
    return stored._replace(data=text, too_long=False, was_legal=False, day=timezone.now().date())


def _check_one_legal(log: MoveLog, data: bytes) -> None:
    if len(data) > MAX_TEXT:
        raise IntakeError("too_large", "A game may have at most {most} bytes.", most=MAX_TEXT)
    if len(cut_at_once(Source.of(data))) > 1:
        raise IntakeError("several_games", "This text holds more than one game. Correct one at a time.")
    if fault := verify(corrected_record(record_of(log), data)).fault:
        raise IntakeError("still_rejected", fault.template, **fault.params)


def _is_own(upload: Upload, account: AbstractBaseUser | None) -> bool:
    """Return whether an upload is of this account; nobody proves that one without an account is theirs."""
    return account is not None and upload.uploader_id == account.pk
