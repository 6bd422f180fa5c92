"""One run of a command: its options, the files it reads, the progress bar, and the exit status."""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TextIO, TypeVar

from engine import report
from engine.agn.cut import Stream
from engine.quoting import printable
from engine.verify import REJECTED, Verdict, verify_file

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")

NOTHING_REJECTED, SOMETHING_REJECTED, UNREADABLE = 0, 1, 2
STANDARD_INPUT = "-"
PATIENCE = 0.5
"""Seconds that an input takes before a progress bar appears: short ones need none."""


@dataclass(slots=True)
class Session:
    """One run of a command: its options, and the results of the files so far."""

    options: argparse.Namespace
    bar: "tqdm[NoReturn] | None"
    unread: int = 0
    left_out: int = 0
    """Legal games that could not be written in the form that was asked for."""
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def status(self) -> int:
        """The exit status."""
        if self.unread:
            return UNREADABLE
        return SOMETHING_REJECTED if self.counts[REJECTED] or self.left_out else NOTHING_REJECTED

    def verdicts(self) -> Iterator[tuple[str, Verdict]]:
        """Yield the verdict on every game of every file that can be read."""
        with self.showing_progress():
            for file in self.options.files:
                for verdict in self.read(file, self._verify_file):
                    self.counts[verdict.verdict] += 1
                    yield file, verdict

    def _verify_file(self, stream: BinaryIO) -> Iterator[Verdict]:
        return verify_file(self.watched(stream))

    def showing_progress(self) -> AbstractContextManager[object]:
        """Return a context in which the progress bar is shown, if there is one."""
        # A bar is false, or raises, when it knows no total.
        return self.bar if self.bar is not None else nullcontext()

    def watched(self, stream: BinaryIO) -> Stream:
        """Return a stream that moves the progress bar as it is read, if there is one."""
        return _Watched(stream, self.bar) if self.bar is not None else stream

    def read(self, file: str, reader: Callable[[BinaryIO], Iterator[T]]) -> Iterator[T]:
        """Yield what a reader finds in a file. Only read errors are caught, not write errors."""
        try:
            with ExitStack() as opened:
                stream = sys.stdin.buffer if file == STANDARD_INPUT else opened.enter_context(Path(file).open("rb"))
                yield from reader(stream)
        except OSError as error:
            self.unread += 1
            self.say(f"{printable(file)}: {error.strerror or error}\n", sys.stderr)

    def say(self, text: str, stream: TextIO | None = None) -> None:
        """Print a line, above the progress bar if there is one."""
        stream = stream or sys.stdout
        if self.bar is not None and self.bar.last_print_t > self.bar.start_t:
            with self.bar.external_write_mode(nolock=True):
                stream.write(text)
        else:
            stream.write(text)


@dataclass(slots=True)
class _Watched:
    """A stream that moves a progress bar as it is read."""

    stream: BinaryIO
    bar: "tqdm[NoReturn]"

    def readline(self, size: int, /) -> bytes:
        """Return the next line, or at most `size` bytes of it."""
        line = self.stream.readline(size)
        self.bar.update(len(line))
        return line


def progress_bar(options: argparse.Namespace) -> "tqdm[NoReturn] | None":
    """Return a progress bar for a terminal; it appears only if reading takes a while."""
    if options.quiet or not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm  # noqa: PLC0415 (rules and records work without any package)
    except ModuleNotFoundError:
        return None
    tqdm.monitor_interval = 0  # its thread would only guard against updates that come too seldom
    return tqdm(
        total=_size(options.files),
        delay=PATIENCE,
        mininterval=PATIENCE / 5,
        unit="B",
        unit_scale=True,
        leave=False,
        dynamic_ncols=True,
    )


def _size(files: list[str]) -> int | None:
    """Return the number of bytes to read; None if unknown."""
    paths = [Path(file) for file in files if file != STANDARD_INPUT]
    known = len(paths) == len(files) and all(path.is_file() for path in paths)
    return sum(path.stat().st_size for path in paths) if known else None


def painter() -> report.Paint:
    """Return colours for a terminal, unless NO_COLOR is set (no-color.org)."""
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return report.in_colour if wanted else report.plain
