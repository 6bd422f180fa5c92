"""Cutting a file into records before anything else is read, in bounded memory (AGN-FILE-3, AGN-JSON-1)."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Protocol

from engine.agn.log import MAX_TEXT, Record

_BOM = b"\xef\xbb\xbf"
_BLANK = re.compile(rb"[ \t]*(?:\r?\n)?\Z")
_LINE_END = re.compile(rb"\r?\n\Z")

NumberedLine = tuple[int, bytes]


class Stream(Protocol):
    """What records are read from: an open file, or whatever gives lines as one does."""

    def readline(self, size: int, /) -> bytes:
        """The next line with its end, or as many of its bytes as are asked for; nothing when there is no more."""


def cut(stream: Stream) -> Iterator[Record]:
    """The records of a file, one after another."""
    lines = enumerate(_lines(stream), 1)
    for number, line in lines:
        if not _is_blank(line):
            rest: Iterator[NumberedLine] = chain([(number, line)], lines)
            yield from _cut_json(rest) if line.lstrip(b" \t").startswith(b"{") else _cut_text(rest)
            return


def _lines(stream: Stream) -> Iterator[bytes]:
    """The lines of a file with their ends; of a line longer than a record may be, the beginning."""
    longest = MAX_TEXT + len(b"\r\n")
    line = stream.readline(longest + len(_BOM)).removeprefix(_BOM)
    while line:
        if len(line) >= longest and not line.endswith(b"\n"):
            line += _skip_line(stream, longest)
        yield line
        line = stream.readline(longest)


def _skip_line(stream: Stream, longest: int) -> bytes:
    """Reads to the end of the line and gives one byte for all of it: a blank one if all of it is blank."""
    byte = b" "
    while piece := stream.readline(longest):
        if not _is_blank(piece):
            byte = b"."
        if piece.endswith(b"\n"):
            break
    return byte


def _is_blank(line: bytes) -> bool:
    return line in (b"\n", b"\r\n") or (line[:1] in (b" ", b"\t", b"\r") and _BLANK.match(line) is not None)


class _Collector:
    """The lines of one record as they come in; blank lines at the end are not part of it."""

    def __init__(self, game: int, line: int, form: str) -> None:
        self.game, self.line, self.form = game, line, form
        self.held: list[bytes] = []
        self.kept = 0
        self.size = 0
        self.too_long = False

    def add(self, line: bytes, *, blank: bool) -> None:
        self.size += len(line) - line.endswith(b"\r\n")
        fits = self.size - line.endswith(b"\n") <= MAX_TEXT
        if fits:
            self.held.append(line)
        if not blank:
            self.kept = len(self.held)
            self.too_long |= not fits

    def record(self) -> Record:
        data = _LINE_END.sub(b"", b"".join(self.held[: self.kept]))
        return Record(self.game, self.line, self.form, data, self.too_long)


def _cut_text(lines: Iterable[NumberedLine]) -> Iterator[Record]:
    collector: _Collector | None = None
    after_blank = False
    games = 0
    for number, line in lines:
        blank = _is_blank(line)
        if collector is None or (after_blank and line.startswith(b"[")):
            if collector is not None:
                yield collector.record()
            games += 1
            collector = _Collector(games, number, "text")
        collector.add(line, blank=blank)
        after_blank = blank
    if collector is not None:
        yield collector.record()


def _cut_json(lines: Iterator[NumberedLine]) -> Iterator[Record]:
    """One object over all lines, or one a line.

    A file of one line, or whose first line is an object, holds one object a line. Otherwise the whole may be
    one object; if it is not, then lines that begin with a brace show that each line was meant to be one.
    """
    ahead = [next(lines)]
    if not _is_json(ahead[0][1]):
        size = len(ahead[0][1])
        for numbered in lines:
            ahead.append(numbered)
            size += len(numbered[1])
            if size > MAX_TEXT:
                break
        if not any(line.startswith(b"{") for _, line in ahead[1:]) or _is_json(b"".join(line for _, line in ahead)):
            yield _whole(chain(ahead, lines))
            return
    yield from _each_line(chain(ahead, lines))


def _whole(lines: Iterable[NumberedLine]) -> Record:
    collector: _Collector | None = None
    for number, line in lines:
        collector = collector or _Collector(1, number, "json")
        collector.add(line, blank=_is_blank(line))
    if collector is None:
        raise ValueError("no lines to cut")
    return collector.record()


def _each_line(lines: Iterable[NumberedLine]) -> Iterator[Record]:
    filled = ((number, line) for number, line in lines if not _is_blank(line))
    for game, (number, line) in enumerate(filled, 1):
        collector = _Collector(game, number, "json")
        collector.add(line, blank=False)
        yield collector.record()


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
