"""Splitting: a stored file becomes logs, one batch and its progress in each transaction.

Its records wait to be verified, or are judged at once and stored with their verdicts, so that each is written once.
What ends the worker meanwhile ends it once: a batch is noted before it is judged at once, and then tried that way no
more.

A claim is a lease on the database's clock with a fencing number, as for logs. A worker that continues after another was
killed unpacks from the beginning and skips records that are already logs. Before anything becomes a log, the
whole file is read once: if its account has uploaded it before, nothing of it is split.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic
from typing import NamedTuple, Protocol
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Now

from engine.agn.log import Record
from engine.words import Words, words
from games.models import Archive, Entry, Pause, Upload, VerdictCount
from games.uploads import counts, duplicates, storage
from games.uploads.logs import Placed, add_logs
from games.uploads.pieces import Piece, batches
from games.uploads.source import MAX_BYTES
from games.uploads.unpacking.errors import UnpackError
from games.uploads.verdict_counts import Rejections

_log = structlog.get_logger()

WINDOW = 8
"""Batches of an upload that may wait: few, so that other uploads do not wait long and pausing is quick."""
ATTEMPTS = 3
"""After so many that came no step further, the file is refused."""
LATELY = timedelta(minutes=2)
"""How long it is remembered whose turn it was."""
_ACCOUNT = Coalesce(F("upload__uploader"), 0)


Store = Callable[[Upload, Sequence[Placed]], None]
"""Stores records of a file, within the transaction under way."""


class Judged(NamedTuple):
    """Records that were judged."""

    records: int
    store: Store
    """Stores them with their verdicts."""


class Judge(Protocol):
    """Judges records of a file before they are stored."""

    def is_wanted(self) -> bool:
        """Return whether the next records are to be judged at once: others have enough to do."""

    def judge(self, records: Sequence[Record], *, now: datetime) -> Judged:
        """Judge the first records, as many as there is time for, outside of any transaction."""


@dataclass(slots=True)
class Splitter:
    """The right to split an upload while no other attempt has begun, and the progress."""

    upload: UUID
    fence: int
    split: int
    """Records that have become logs."""
    tried: int
    """Records up to the last that an earlier attempt began to judge at once."""
    renewed: float

    def renew(self) -> None:
        """Renew the lease before it expires."""
        if monotonic() - self.renewed > settings.VERIFICATION_LEASE / 3:
            self.renewed = monotonic()
            _leased(self).update(leased_until=_lease())

    def begin(self, records: int) -> bool:
        """Note that the next records are about to be judged at once, so that a worker that ends meanwhile is the last.

        :returns: false if an earlier attempt noted them, or the claim is over.
        """
        if self.tried > self.split:
            return False
        return _leased(self).update(tried=self.split + records, leased_until=_lease()) > 0

    def is_full(self) -> bool:
        """Return whether too many logs wait for more to be added."""
        judged: int = VerdictCount.objects.filter(upload=self.upload).aggregate(games=Sum("games", default=0))["games"]
        return self.split - judged > (WINDOW - 1) * settings.SPLITTING_BATCH

    def let_go(self) -> None:
        """Release the upload for another worker."""
        _leased(self).update(leased_until=None)

    def let_rest(self) -> None:
        """Release a paused upload, without counting a failed attempt."""
        _leased(self).update(leased_until=None, attempts=0)


def claim(*, small: bool = False) -> Splitter | None:
    """Claim an upload that waits to be split, if any.

    Accounts take turns, however many files one of them has; of an account's files, the one that was split least is
    next.

    :param small: only a file that has not been begun and is small enough to be cut in a request.
    """
    waiting = (
        _claimable()
        .annotate(turn=_last_turn())
        .order_by(F("turn").asc(nulls_first=True), "upload__split_logs", "touched_at")
    )
    if small:
        waiting = waiting.filter(length__lte=MAX_BYTES, upload__split_logs=0)
    with transaction.atomic():
        archive = waiting.select_related("upload").select_for_update(skip_locked=True, of=("self",)).first()
        if archive is None:
            return None
        Archive.objects.filter(pk=archive.pk).update(
            attempts=F("attempts") + 1, fence=F("fence") + 1, leased_until=_lease(), claimed_at=Now()
        )
    Upload.objects.filter(pk=archive.pk, state=Upload.State.WAITING).update(state=Upload.State.SPLITTING)
    return Splitter(archive.pk, archive.fence + 1, archive.upload.split_logs, archive.tried, monotonic())


def _last_turn() -> Subquery:
    """Return when a file of an upload's account was last claimed, if that was lately."""
    same = Archive.objects.annotate(account=_ACCOUNT).filter(account=OuterRef("account"), claimed_at__gt=Now() - LATELY)
    return Subquery(same.order_by("-claimed_at").values("claimed_at")[:1])


def to_split() -> Q:
    """Return the condition for archives that can be split, or split further."""
    return Q(upload__state__in=[Upload.State.WAITING, Upload.State.SPLITTING], upload__paused=False)


def anything_to_split() -> bool:
    """Return whether an upload could be claimed now."""
    return _claimable().exists()


def _claimable() -> "QuerySet[Archive]":
    free = Q(leased_until=None) | Q(leased_until__lt=Now())
    paused = Exists(Pause.objects.filter(part=Pause.Part.VERIFICATION))
    return Archive.objects.annotate(account=_ACCOUNT).filter(~paused, free, to_split(), attempts__lt=ATTEMPTS)


def _lease() -> object:
    return Now() + timedelta(seconds=settings.VERIFICATION_LEASE)


def _leased(splitter: Splitter) -> "QuerySet[Archive]":
    return Archive.objects.filter(pk=splitter.upload, fence=splitter.fence)


def split(
    splitter: Splitter, *, clock: Callable[[], datetime], pulse: Callable[[], None], judge: Judge | None = None
) -> Iterator[int]:
    """Split a claimed upload, batch by batch, until its end, or until it is paused or cancelled.

    :param clock: the current time.
    :param pulse: called repeatedly while nothing is locked here, even if the file has no record for long.
    :param judge: judges records at once; without one, all of them wait.
    :returns: after each batch, how many logs it was.
    """

    def beat() -> None:
        splitter.renew()
        pulse()

    archive = Archive.objects.select_related("upload").get(pk=splitter.upload)
    file = storage.StoredFile(archive, beat)
    if _is_known(splitter, archive.upload, file, clock):
        return
    rejections = Rejections(splitter.upload)
    try:
        for batch in batches(file, archive, beat):
            fits = batch[: settings.UPLOAD_MAX_GAMES - splitter.split]
            if not _store(splitter, fits, file, clock, judge):
                return
            rejections.look()
            if len(fits) < len(batch):
                most = settings.UPLOAD_MAX_GAMES
                refuse(
                    splitter,
                    "too_many_games",
                    words("An upload may have at most {most} games.", most=most),
                    now=clock(),
                )
                return
            yield len(batch)
    except UnpackError as error:
        refuse(splitter, error.code, error.said, now=clock())
    else:
        _end(splitter, clock())


def _is_known(splitter: Splitter, upload: Upload, file: storage.StoredFile, clock: Callable[[], datetime]) -> bool:
    """End an upload whose file its account has uploaded before. :returns: whether it has."""
    if splitter.split or upload.file_digest or upload.uploader_id is None:
        return False
    digest = _digest(file)
    with transaction.atomic():
        earlier = duplicates.recognise(upload, digest) if digest else None
        if earlier and _locked(splitter):
            Upload.objects.filter(pk=upload.pk).update(repeats=earlier, paused=False)
            _finish(splitter, clock())
    return earlier is not None


def _digest(file: storage.StoredFile) -> str:
    """Return the digest of all bytes of a file; None if they are gone."""
    found, at = sha256(), 0
    while at < file.size and (data := file.read_at(at, storage.CHUNK)):
        found.update(data)
        at += len(data)
    return found.hexdigest() if at == file.size else ""


def _store(
    splitter: Splitter,
    batch: Sequence[Piece],
    file: storage.StoredFile,
    clock: Callable[[], datetime],
    judge: Judge | None,
) -> bool:
    """Store records as logs: some with their verdicts as long as that goes well, then the rest as waiting logs.

    :returns: whether the claim still holds and the upload is not paused.
    """
    while judge and (some := _judge_at_once(splitter, batch, file.reached, clock(), judge)):
        splitter.split += some
        batch = batch[some:]
        file.pulse()

    def wait(upload: Upload, placed: Sequence[Placed]) -> None:
        add_logs(upload.pk, placed, now=clock())

    if _add(splitter, batch, file.reached, wait, _locked):
        splitter.split += len(batch)
        return True
    splitter.let_rest()
    return False


def _judge_at_once(splitter: Splitter, batch: Sequence[Piece], reached: int, now: datetime, judge: Judge) -> int:
    """Judge records and store them with their verdicts, as many as there is time for.

    :returns: how many; none if others have nothing to do, the last attempt to do this did not come to an end, anything
    went wrong, or the claim is over.
    """
    if not batch or not judge.is_wanted() or not splitter.begin(len(batch)):
        return 0
    try:
        count, store = judge.judge([piece.record for piece in batch], now=now)
        return count if _add(splitter, batch[:count], reached, store, _kept) else 0
    except SoftTimeLimitExceeded:
        raise
    except Exception:  # noqa: BLE001 (whatever is wrong with one of them)
        _log.exception("splitting.not_judged_at_once", upload=str(splitter.upload), after=splitter.split)
        return 0


@transaction.atomic
def _add(
    splitter: Splitter,
    batch: Sequence[Piece],
    reached: int,
    store: Store,
    hold: "Callable[[Splitter], Upload | None]",
) -> bool:
    """Store records, and the progress. :returns: whether the claim still holds and the upload is not paused.

    :param hold: locks the upload, or keeps it from being cancelled until the end: who adds games and players locks
    uploads last, as verifiers do, so that no two transactions wait for each other.
    """
    upload = hold(splitter)
    if upload is None or upload.paused:
        return False
    entries, first = _entries(upload, batch), splitter.split + 1
    store(upload, [Placed(number, piece.record, entries.get(piece.entry)) for number, piece in enumerate(batch, first)])
    if _step(splitter, batch, reached):
        return True
    transaction.set_rollback(True)
    return False


def _step(splitter: Splitter, batch: Sequence[Piece], reached: int) -> bool:
    """Store the progress. :returns: whether the claim still holds and the upload is not paused."""
    upload = _locked(splitter)
    if upload is None or upload.paused:
        return False
    if not batch:
        return True
    last = batch[-1]
    Upload.objects.filter(pk=upload.pk).update(split_logs=splitter.split + len(batch))
    step = {"entry": last.entry, "entry_logs": last.nth, "read": reached, "attempts": 0, "leased_until": _lease()}
    return _leased(splitter).update(**step) > 0


def _kept(splitter: Splitter) -> Upload | None:
    """Return the upload if it is still being split under this claim; it is not cancelled until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM games_upload WHERE id = %s FOR KEY SHARE", [splitter.upload])
    return _split_under(splitter).first()


def _locked(splitter: Splitter) -> Upload | None:
    """Return the locked upload if it is still being split under this claim."""
    return _split_under(splitter).select_for_update(no_key=True, of=("self",)).first()


def _split_under(splitter: Splitter) -> "QuerySet[Upload]":
    return Upload.objects.filter(pk=splitter.upload, state=Upload.State.SPLITTING, archive__fence=splitter.fence)


def _entries(upload: Upload, batch: Sequence[Piece]) -> dict[int, int]:
    """Return the rows of a zip archive's entries, by their numbers."""
    names = {piece.entry: piece.name for piece in batch if piece.entry}
    if not names:
        return {}
    rows = (Entry(upload=upload, number=number, name=name) for number, name in names.items())
    Entry.objects.bulk_create(rows, ignore_conflicts=True)
    return dict(Entry.objects.filter(upload=upload, number__in=names).values_list("number", "pk"))


def _end(splitter: Splitter, now: datetime) -> None:
    if not splitter.split:
        refuse(splitter, "empty", words("This upload contains no game."), now=now)
        return
    with transaction.atomic():
        if _locked(splitter):
            _leased(splitter).update(read=F("length"))
            _finish(splitter, now)


def _finish(splitter: Splitter, now: datetime) -> None:
    """End the splitting of a locked upload, and remove its bytes."""
    Upload.objects.filter(pk=splitter.upload).update(state=Upload.State.VERIFYING)
    _leased(splitter).update(leased_until=None, attempts=0)
    storage.forget(splitter.upload)
    counts.settle(splitter.upload, at=now)


@transaction.atomic
def refuse(splitter: Splitter, code: str, said: Words, *, now: datetime) -> None:
    """Refuse the rest of an upload, and say why; what was split of it stays."""
    if _locked(splitter):
        _refuse(splitter.upload, code, said, now)
        storage.forget(splitter.upload)


def _refuse(upload: UUID, code: str, said: Words, now: datetime) -> None:
    Upload.objects.filter(pk=upload).update(state=Upload.State.REFUSED, paused=False)
    error = said.as_json()
    Archive.objects.filter(pk=upload).update(
        leased_until=None, code=code, template=error["template"], params=error["params"]
    )
    counts.settle(upload, at=now)


BROKE_OFF = "broke_off"
"""The reason for which a file was refused that may be tried again."""


def refuse_lapsed(*, now: datetime) -> int:
    """Refuse files whose last attempts made no progress.

    Their bytes are kept, so that they can be retried.

    :returns: how many.
    """
    free = Q(leased_until=None) | Q(leased_until__lt=Now())
    lapsed = list(Archive.objects.filter(free, to_split(), attempts__gte=ATTEMPTS).values_list("pk", flat=True))
    broke_off = words("None of {attempts} attempts to unpack it got any further.", attempts=ATTEMPTS)
    for pk in lapsed:
        _log.error("splitting.broke_off", upload=str(pk))
        with transaction.atomic():
            splitting = Upload.objects.select_for_update(no_key=True).filter(pk=pk, state__in=Upload.UNSPLIT)
            if splitting.first():
                _refuse(pk, BROKE_OFF, broke_off, now)
    return len(lapsed)
