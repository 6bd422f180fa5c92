"""`atta verify`: what is printed for each game, by one process or by several in the same order."""

import argparse
import signal
import time
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from engine import report
from engine.agn.cut import cut
from engine.agn.lines import json_line
from engine.agn.log import Record
from engine.session import Session, painter
from engine.verify import REJECTED, Verdict, verify

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from engine.suggesting import Suggestions

_SUGGESTING = 5.0
"""Seconds of work that suggestions for one game may take; most take some hundredths."""
_BATCH_BYTES = 1 << 18
"""Bytes of records that a process verifies at a time: enough that passing them on costs little beside it."""
_AHEAD = 3
"""Batches for each process that are read before their verdicts are printed."""


class Printed(NamedTuple):
    """The verdict on a game, and what to print for it: nothing where the options leave it out."""

    verdict: str
    text: str


class Wanted(NamedTuple):
    """What to print for the games of a file."""

    file: str
    options: argparse.Namespace
    paint: report.Paint


Read = Record | OSError
"""A record, or the error with which reading its file ended."""
Batch = list[Printed | OSError]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `verify`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")
    parser.add_argument("--suggest", action="store_true", help="also suggest corrections for each rejected game")
    parser.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="verify in N processes; default: 1")


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= _MOST_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes from 1 to {_MOST_JOBS}")
    return int(text)


_MOST_JOBS = 256


def run(session: Session) -> int:
    """Print the verdict on every game of the session's files, and return the exit status."""
    options, paint = session.options, painter()
    with session.showing_progress():
        for file in options.files:
            for game in _printed(session, Wanted(file, options, paint)):
                session.counts[game.verdict] += 1
                if game.text:
                    session.say(game.text)
    if not (options.json or options.quiet):
        session.say(report.summary(session.counts, session.unread, paint))
    return session.status


def _printed(session: Session, wanted: Wanted) -> Iterator[Printed]:
    """Yield what to print for each game of a file, in the order of the file."""

    def reader(stream: BinaryIO) -> Iterator[Printed]:
        records = cut(session.watched(stream))
        if wanted.options.jobs == 1:
            return (_of_record(wanted, record) for record in records)
        return _side_by_side(wanted, records)

    return session.read(wanted.file, reader)


def _of_record(wanted: Wanted, record: Record) -> Printed:
    verdict, options = verify(record), wanted.options
    if options.quiet and verdict.verdict != REJECTED:
        return Printed(verdict.verdict, "")
    fixes = {"suggestions": _suggested(verdict)} if options.suggest else {}
    if options.json:
        found = {name: one and one.as_json() for name, one in fixes.items()}
        return Printed(verdict.verdict, json_line({"file": wanted.file, **verdict.as_json(), **found}))
    return Printed(verdict.verdict, report.of_verdict(wanted.file, verdict, wanted.paint, **fixes))


def _suggested(verdict: Verdict) -> "Suggestions | None":
    """Return the corrections for a rejected game that are found within the time limit."""
    from engine.suggesting import suggest  # noqa: PLC0415 (loaded only where somebody asks for them)

    until = time.process_time() + _SUGGESTING
    return suggest(verdict, enough=lambda: time.process_time() > until)


# Several processes


def _side_by_side(wanted: Wanted, records: Iterator[Record]) -> Iterator[Printed]:
    """Verify in several processes, and yield in the order of the file; memory is bounded by the batches ahead."""
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor  # noqa: PLC0415 (a browser has none)

    with ProcessPoolExecutor(wanted.options.jobs, initializer=_ignore_interrupts) as processes:
        batches = _in_order(processes, wanted, _batches(_with_its_error(records)))
        try:
            for batch in batches:
                for game in batch:
                    if isinstance(game, OSError):
                        raise game
                    yield game
        except BrokenExecutor as error:
            raise OSError(_KILLED) from error
        finally:
            processes.shutdown(cancel_futures=True)


_KILLED = "a process that verified games was killed"


def _ignore_interrupts() -> None:
    """Leave it to the first process to end the others when somebody presses Ctrl+C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _in_order(processes: "Executor", wanted: Wanted, batches: Iterator[list[Read]]) -> Iterator[Batch]:
    ahead = deque["Future[Batch]"]()
    for batch in batches:
        ahead.append(processes.submit(_of_batch, wanted, batch))
        if len(ahead) >= _AHEAD * wanted.options.jobs:
            yield ahead.popleft().result()
    while ahead:
        yield ahead.popleft().result()


def _of_batch(wanted: Wanted, batch: list[Read]) -> Batch:
    return [one if isinstance(one, OSError) else _of_record(wanted, one) for one in batch]


def _with_its_error(records: Iterator[Record]) -> Iterator[Read]:
    """Yield the records and, where reading ends with an error, that error: what was read before is printed first."""
    try:
        yield from records
    except OSError as error:
        yield error


def _batches(records: Iterator[Read]) -> Iterator[list[Read]]:
    batch, size = list[Read](), 0
    for record in records:
        batch.append(record)
        size += 0 if isinstance(record, OSError) else len(record.data)
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


__all__ = ["add_options", "run"]
