"""Endless files that are generated while being read and count the bytes they produce."""

from collections.abc import Iterable, Iterator


class Generated:
    """A file made of pieces, each with at most one line end, as its last byte."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces: Iterator[bytes] = iter(pieces)
        self.rest = b""
        self.given = 0

    def readline(self, size: int, /) -> bytes:
        line = self.rest
        while len(line) < size and not line.endswith(b"\n") and (piece := next(self.pieces, b"")):
            line += piece
        line, self.rest = line[:size], line[size:]
        self.given += len(line)
        return line
