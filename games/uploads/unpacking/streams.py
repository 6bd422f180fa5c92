"""Unpacking one stream: gzip, zstd, or the deflated data of a zip entry; block by block."""

import io
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from engine.words import words
from games.uploads.unpacking.budget import Budget
from games.uploads.unpacking.errors import UnpackError, broken, truncated
from games.zstd import zstd

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PIECE = 64 * 1024
"""Packed bytes read at once."""
BLOCK = 256 * 1024
"""Bytes that come out at once, at most."""
WINDOW_LOG = 26
"""Of zstd: unpacking needs 64 MiB. No level up to 21 asks for more, unless a longer window is chosen."""


class Source(Protocol):
    """Bytes that can be read anywhere."""

    @property
    def size(self) -> int:
        """Return how many bytes there are."""

    def read_at(self, offset: int, size: int, /) -> bytes:
        """Return some bytes from a place on: at least one while there are any, at most as many as asked for."""


class _Unpacker(Protocol):
    """What a packed piece is fed to."""

    @property
    def eof(self) -> bool:
        """Return whether the piece is over."""

    @property
    def unused_data(self) -> bytes:
        """Return what was fed beyond its end."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return as much as comes out, up to a limit; the rest of the data is kept for the next call."""


class Inflater:
    """`zlib` with the interface of the other unpackers: it keeps the data that it has not unpacked yet."""

    def __init__(self, wbits: int) -> None:
        self._zlib = zlib.decompressobj(wbits)

    @property
    def eof(self) -> bool:
        """Return whether the piece is over."""
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        """Return what was fed beyond its end."""
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return as much as comes out, up to a limit."""
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)


def pieces(source: Source, begin: int, end: int) -> Iterator[bytes]:
    """Yield the bytes of a source from one place to another."""
    at = begin
    while at < end:
        piece = source.read_at(at, min(PIECE, end - at))
        if not piece:
            return
        at += len(piece)
        yield piece


def plain(packed: Iterator[bytes], budget: Budget) -> Iterator[bytes]:
    """Yield what is not packed, counting it all the same."""
    for piece in packed:
        budget.read(len(piece))
        budget.spend(piece)
        yield piece


def gunzip(packed: Iterator[bytes], budget: Budget) -> Iterator[bytes]:
    """Yield the content of a gzip file: all its members, and no zeros that may follow each."""
    return _unpacked(packed, budget, "gzip", lambda: Inflater(16 + zlib.MAX_WBITS), padding=b"\0")


def unzstd(packed: Iterator[bytes], budget: Budget) -> Iterator[bytes]:
    """Yield the content of a zstd file: all its frames."""
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: WINDOW_LOG}
    return _unpacked(packed, budget, "zstd", lambda: zstd.ZstdDecompressor(options=options))


def _unpacked(
    packed: Iterator[bytes], budget: Budget, kind: str, fresh: Callable[[], _Unpacker], *, padding: bytes = b""
) -> Iterator[bytes]:
    unpacker: _Unpacker | None = None
    for piece in packed:
        budget.read(len(piece))
        rest = piece
        while rest:
            if unpacker is None:
                rest = rest.lstrip(padding) if padding else rest
                if not rest:
                    break
                budget.begin_member()
                unpacker = fresh()
            yield from _fed(unpacker, rest, budget, kind)
            rest = unpacker.unused_data if unpacker.eof else b""
            unpacker = None if unpacker.eof else unpacker
    if unpacker is not None:
        raise truncated(kind, budget.unpacked)


def _fed(unpacker: _Unpacker, data: bytes, budget: Budget, kind: str) -> Iterator[bytes]:
    """Yield all that comes out of some packed bytes."""
    while True:
        try:
            block = unpacker.decompress(data, BLOCK)
        except (zlib.error, zstd.ZstdError, ValueError) as error:
            raise _why(error, kind, budget.unpacked) from None
        if block:
            budget.spend(block)
            yield block
        if unpacker.eof or len(block) < BLOCK:
            return
        data = b""


def _why(error: Exception, kind: str, unpacked: int) -> UnpackError:
    if "too much memory" in str(error):
        most = 2 ** (WINDOW_LOG - 20)
        return UnpackError(
            "window", words("Unpacking this zstd data takes more than {most} MiB of memory. Compress it without "
                            "--long.",
                            most=most),
        )  # fmt: skip
    return broken(kind, unpacked)


def inflate(packed: Iterator[bytes], budget: Budget) -> Iterator[bytes]:
    """Yield the content of a deflated entry of a zip archive; what follows it is not read."""
    inflater = Inflater(-zlib.MAX_WBITS)
    for piece in packed:
        budget.read(len(piece))
        yield from _fed(inflater, piece, budget, "zip")
        if inflater.eof:
            return
    raise truncated("zip", budget.unpacked)


class _Blocks(io.RawIOBase):
    """Blocks, read as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Fill a buffer with the next block, or as much of it as fits."""
        if not self._rest:
            self._rest = memoryview(next(self._blocks, b""))
        into = memoryview(buffer)
        size = min(len(into), len(self._rest))
        into[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def opened(blocks: Iterator[bytes]) -> io.BufferedReader:
    """Return blocks as a file that can be read line by line."""
    return io.BufferedReader(_Blocks(blocks), BLOCK)
