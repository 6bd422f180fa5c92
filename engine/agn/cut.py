"""Cuts a file into records before anything in them is parsed, in bounded memory (AGN-FILE-3, AGN-JSON-1)."""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Protocol

from engine.agn.log import MAX_TEXT, Record

_BOM = b"\xef\xbb\xbf"
_BLANK = re.compile(rb"[ \t]*(?:\r?\n)?\Z")
_LINE_END = re.compile(rb"\r?\n\Z")

_SPACE, _BRACKET = b" ["
_make = tuple.__new__
_BLOCK = 1 << 16
"""Bytes that are read at a time."""
_HELD = 2 * MAX_TEXT
"""Bytes of a text that are held: more than it may have, as every line end counts as one."""

PlacedLine = tuple[int, int, bytes]
"""A line with its number and the byte of the file at which it begins."""


class Stream(Protocol):
    """What records are read from: an open file, or anything that returns lines as a file does."""

    def readline(self, size: int, /) -> bytes:
        """Return the next line with its line end, or at most `size` bytes of it; empty at the end.

        A stream that also has `read1`, as files have, is read faster.
        """


def cut(stream: Stream) -> Iterator[Record]:
    """Yield the records of a file, one after another."""
    read = getattr(stream, "read1", None)  # unlike `read` it waits for no more than there is
    return _cut_lines(stream) if read is None else _cut_blocks(read, stream)


def _cut_blocks(read: Callable[[int], bytes], stream: Stream) -> Iterator[Record]:
    """Do the same faster as long as the file is plain: records in text, of moderate size, with empty lines between.

    Whatever is left when it is not plain any more, and the last record, is cut line by line.
    """
    data = read(_BLOCK)
    game, line, offset, at = 0, 1, 0, 0
    end, blank, seen, checked = _UNKNOWN if data.startswith(b"[") else _NOT_PLAIN, -1, 0, 0
    while end != _NOT_PLAIN and data.find(b"\r", checked) < 0 and not _has_mark(data, checked):
        end, blank, seen = _end(data, at, blank, seen)
        while end >= 0:
            text = data[at:end].rstrip(b"\n")
            if len(text) > MAX_TEXT or text.endswith((b" ", b"\t")):
                end = _NOT_PLAIN
                break
            game += 1
            yield _make(Record, (game, line, "text", text, False, offset + at, None, False))
            line += data.count(b"\n", at, end) + len(b"\n\n")
            at = end + len(b"\n\n")
            end, blank, seen = _end(data, at, -1, at)
        more = read(_BLOCK) if end != _NOT_PLAIN and len(data) - at <= _HELD else b""
        if not more:
            break
        checked, blank, seen = len(data) - at, blank - at, seen - at
        data, offset, at = data[at:] + more, offset + at, 0
    for found in _cut_lines(_Rest(data[at:], stream)):
        yield found._replace(game=game + found.game, line=line - 1 + found.line, offset=offset + at + found.offset)


def _has_mark(data: bytes, checked: int) -> bool:
    """Return whether there is a byte-order mark; the part that was checked may end with the beginning of one."""
    begin = max(0, checked - len(_BOM))
    return data.find(_BOM[:1], begin) >= 0 and data.find(_BOM, begin) >= 0


_UNKNOWN = -1
_NOT_PLAIN = -2


def _end(data: bytes, at: int, blank: int, seen: int) -> tuple[int, int, int]:
    """Return where the record that begins at a place ends: at an empty line before a bracket.

    Searching for single bytes is much faster than for several, and brackets are rare after the tags.

    :param blank: where the empty line after the tags begins, if that was found already; otherwise below 0.
    :param seen: how far the record was searched.
    :returns: _UNKNOWN if the end is not in the data, _NOT_PLAIN if there may be a blank line that is not empty; and
        both places with which to go on when there is more data.
    """
    if blank < 0:
        blank = data.find(b"\n\n", seen)
        if blank < 0:
            return _UNKNOWN, -1, max(at, len(data) - 1)
        if data.find(b"\n ", at, blank) >= 0 or data.find(b"\n\t", at, blank) >= 0:
            return _NOT_PLAIN, blank, seen
        seen = blank
    bracket = data.find(b"[", seen)
    while bracket >= 0:
        before = data[bracket - 2 : bracket]
        if before == b"\n\n":
            return bracket - 2, blank, bracket
        if before in (b" \n", b"\t\n"):
            return _NOT_PLAIN, blank, bracket
        bracket = data.find(b"[", bracket + 1)
    return _UNKNOWN, blank, len(data)


class _Rest:
    """What was read of a stream already, and then the stream, line by line."""

    def __init__(self, held: bytes, stream: Stream) -> None:
        self.held, self.stream = io.BytesIO(held), stream

    def readline(self, size: int, /) -> bytes:
        line = self.held.readline(size)
        if len(line) < size and not line.endswith(b"\n"):
            line += self.stream.readline(size - len(line))
        return line


def _cut_lines(stream: Stream) -> Iterator[Record]:
    reader = _Reader(stream)
    lines, given = reader.lines(), 0
    for number, line in enumerate(lines, 1):
        if not _is_blank(line):
            rest = chain([line], lines)
            if line.lstrip(b" \t").startswith(b"{"):
                yield from _cut_json(_placed(rest, number, given, reader))
            else:
                yield from _cut_text(rest, number, given, reader)
            return
        given += len(line)


class _Reader:
    """The lines of a file with their line ends; a line longer than any record is cut off.

    A byte-order mark at the start of a line is skipped, as files may have been joined one after the other (AGN-FILE-3).
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.hidden = 0
        """Bytes before the present line that were not given: byte-order marks, and what was left out of long lines."""

    def lines(self) -> Iterator[bytes]:
        longest = MAX_TEXT + len(b"\r\n")
        while line := self.stream.readline(longest + len(_BOM)):
            if line.startswith(_BOM):
                line = line[len(_BOM) :]
                self.hidden += len(_BOM)
            if len(line) >= longest and not line.endswith(b"\n"):
                byte, skipped = _skip_line(self.stream, longest)
                yield line + byte
                self.hidden += skipped - len(byte)
            elif line:
                yield line


def _skip_line(stream: Stream, longest: int) -> tuple[bytes, int]:
    """Skip the rest of a line. :returns: one byte that stands for it, blank if all of it is blank; and its length."""
    byte, skipped = b" ", 0
    while piece := stream.readline(longest):
        skipped += len(piece)
        if not _is_blank(piece):
            byte = b"."
        if piece.endswith(b"\n"):
            break
    return byte, skipped


def _is_blank(line: bytes) -> bool:
    return line in (b"\n", b"\r\n") or (line[:1] in (b" ", b"\t", b"\r") and _BLANK.match(line) is not None)


class _Collector:
    """The lines of one record as they are read; blank lines at the end are not part of it."""

    def __init__(self, game: int, line: int, offset: int, form: str) -> None:
        self.game, self.line, self.offset, self.form = game, line, offset, form
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
        return Record(self.game, self.line, self.form, data, self.too_long, self.offset)


def _cut_text(lines: Iterable[bytes], first: int, given: int, reader: _Reader) -> Iterator[Record]:
    """Yield the records in the lines, counted from a line number. Every line passes through here, so it must be fast.

    :param given: the number of bytes in the lines before.
    """
    game, begins, offset, text, size = 1, first, given + reader.hidden, list[bytes](), 0
    after_blank, lost = False, False
    for number, line in enumerate(lines, first):
        if line[0] <= _SPACE and _is_blank(line):
            after_blank = True
        elif after_blank:
            if line[0] == _BRACKET:
                yield _text_record(game, begins, offset, text, too_long=lost)
                given += size
                game, begins, offset, text, size, lost = game + 1, number, given + reader.hidden, [], 0, False
            after_blank = False
        size += len(line)
        if size <= _HELD:
            text.append(line)
        elif not after_blank:
            lost = True
    if text:
        yield _text_record(game, begins, offset, text, too_long=lost)


def _text_record(game: int, line: int, offset: int, text: list[bytes], *, too_long: bool) -> Record:
    """Return a record made of its lines; of a record that is too long, only the first are kept."""
    data = b"".join(text).rstrip(b"\n")
    if too_long or len(data) > MAX_TEXT or data.endswith((b" ", b"\t", b"\r")):
        collector = _Collector(game, line, offset, "text")
        for one in text:
            collector.add(one, blank=_is_blank(one))
        collector.too_long |= too_long
        return collector.record()
    return Record(game, line, "text", data, too_long=False, offset=offset)


def _placed(lines: Iterable[bytes], first: int, given: int, reader: _Reader) -> Iterator[PlacedLine]:
    for number, line in enumerate(lines, first):
        yield number, given + reader.hidden, line
        given += len(line)


def _cut_json(lines: Iterator[PlacedLine]) -> Iterator[Record]:
    """Yield one object that spans all lines, or one object a line.

    A file of one line, or whose first line is an object, holds one object a line. Otherwise the whole may be
    one object; if it is not, then lines that begin with a brace show that each line was meant to be one.
    """
    ahead = [next(lines)]
    if not _is_json(ahead[0][2]):
        size = len(ahead[0][2])
        for placed in lines:
            ahead.append(placed)
            size += len(placed[2])
            if size > MAX_TEXT:
                break
        braces = any(line.startswith(b"{") for _, _, line in ahead[1:])
        if not braces or _is_json(b"".join(line for _, _, line in ahead)):
            yield _whole(chain(ahead, lines))
            return
    yield from _each_line(chain(ahead, lines))


def _whole(lines: Iterable[PlacedLine]) -> Record:
    collector: _Collector | None = None
    for number, offset, line in lines:
        collector = collector or _Collector(1, number, offset, "json")
        collector.add(line, blank=_is_blank(line))
    if collector is None:
        raise ValueError("no lines to cut")
    return collector.record()


def _each_line(lines: Iterable[PlacedLine]) -> Iterator[Record]:
    game = 0
    for number, offset, line in lines:
        if not _is_blank(line):
            game += 1
            collector = _Collector(game, number, offset, "json")
            collector.add(line, blank=False)
            yield collector.record()


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
