"""Pieces: the records of a stored file that have not become logs yet, in batches, each with its place in the file."""

from collections.abc import Callable, Iterator
from io import BufferedReader
from itertools import islice
from typing import NamedTuple

from django.conf import settings

from engine.agn.cut import cut
from engine.agn.log import Record
from engine.agn.plausible import could_be_game
from games.models import Archive, MoveLog
from games.uploads.storage import StoredFile
from games.uploads.unpacking.budget import Budget, Limits
from games.uploads.unpacking.contents import Part, parts
from games.uploads.unpacking.errors import UnpackError
from games.uploads.unpacking.streams import BLOCK

BATCH_BYTES = 4 * 2**20
"""Of the logs in a transaction, unless one alone has more."""


class Piece(NamedTuple):
    """A record, and where in the file it was found."""

    entry: int
    name: str
    nth: int
    """The records of its entry up to it."""
    record: Record


def batches(file: StoredFile, archive: Archive, beat: Callable[[], None]) -> Iterator[list[Piece]]:
    """Yield records in batches; when the file has a fault, first those before it.

    :param beat: called repeatedly, even if the file has no record for long.
    :raises UnpackError: at the fault.
    """
    batch, size, fault = list[Piece](), 0, None
    try:
        for piece in _pieces(file, archive, beat):
            if batch and (len(batch) >= settings.SPLITTING_BATCH or size + len(piece.record.data) > BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(piece)
            size += len(piece.record.data)
    except UnpackError as error:
        fault = error
    if batch:
        yield batch
    if fault:
        raise fault


def _pieces(file: StoredFile, archive: Archive, beat: Callable[[], None]) -> Iterator[Piece]:
    """Yield the records that have not become logs yet."""
    budget = Budget(Limits(unpacked=settings.UPLOAD_MAX_UNPACKED), beat)
    for part in parts(file, budget, begin=archive.entry):
        known = archive.entry_logs if part.number == archive.entry else 0
        for nth, record in enumerate(_records(part, archive, known, budget), known + 1):
            yield Piece(part.number, part.name, nth, record)


def _records(part: Part, archive: Archive, known: int, budget: Budget) -> Iterator[Record]:
    """Return the records of a part after those that are already logs; a text is cut from the last of these on."""
    last = _last_log(archive) if known else None
    if last is None or last.form != "text" or last.offset is None:
        return islice(_counted(cut(part.stream), budget), known, None)
    with budget.unproductive.unwatched():
        _skip(part.stream, last.offset)
    again = islice(_counted(cut(part.stream), budget), 1, None)
    return (_moved(record, last.line - 1, last.offset) for record in again)


def _counted(records: Iterator[Record], budget: Budget) -> Iterator[Record]:
    for record in records:
        budget.found(game=could_be_game(record))
        yield record


def _last_log(archive: Archive) -> MoveLog | None:
    """Return the last record that has become a log, and its place."""
    logs = MoveLog.objects.filter(upload=archive.pk, number=archive.upload.split_logs)
    return logs.only("form", "line", "offset").first()


def _skip(stream: BufferedReader, size: int) -> None:
    while size and (block := stream.read(min(size, BLOCK))):
        size -= len(block)


def _moved(record: Record, lines: int, size: int) -> Record:
    """Return a record with its place moved on by so many lines and bytes."""
    return record._replace(line=record.line + lines, offset=record.offset + size)
