"""Malicious archives, built on the spot."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from games.zstd import zstd

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Held:
    """A source in memory that returns less at once than requested."""

    data: bytes
    most: int = 10_000

    @property
    def size(self) -> int:
        return len(self.data)

    def read_at(self, offset: int, size: int, /) -> bytes:
        return self.data[offset : offset + min(size, self.most)]


def zipped(files: Iterable[tuple[str | zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an ordinary zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def zstd_of(data: bytes, **options: int) -> bytes:
    """Return data compressed by zstd with given parameters."""
    return zstd.compress(data, options={zstd.CompressionParameter[name]: value for name, value in options.items()})


def streamed_zstd(data: bytes, **options: int) -> bytes:
    """Return data streamed by zstd, whose window does not shrink to the data."""
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter[name]: value for name, value in options.items()})
    return packer.compress(data) + packer.flush()


def zeros_in_zstd(size: int) -> bytes:
    """Return many zeros (a multiple of a MiB) in a zstd frame without a size, about 1:30,000."""
    packer = zstd.ZstdCompressor()
    block = bytes(MIB)
    return b"".join([*(packer.compress(block) for _ in range(size // MIB)), packer.flush()])


def zeros_in_gzip(size: int) -> bytes:
    """Return many zeros (a multiple of a MiB) in a gzip member, 1:1028."""
    packer = zlib.compressobj(9, wbits=31)
    block = bytes(MIB)
    return b"".join([*(packer.compress(block) for _ in range(size // MIB)), packer.flush()])


def _deflated(size: int) -> bytes:
    packer = zlib.compressobj(9, wbits=-15)
    return b"".join([*(packer.compress(bytes(MIB)) for _ in range(size // MIB)), packer.flush()])


def local(name: bytes, crc: int, packed: int, size: int, method: int = 8) -> bytes:
    """Return a local header."""
    return struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, method, 0, 0, crc, packed, size, len(name), 0) + name


def central(name: bytes, crc: int, packed: int, size: int, at: int, method: int = 8) -> bytes:
    """Return a directory entry."""
    head = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 3, 20, 0, 0, method, 0, 0, crc, packed, size, len(name),
                       0, 0, 0, 0, 0o100644 << 16, at)  # fmt: skip
    return head + name


def end(count: int, size: int, at: int) -> bytes:
    """Return the end of an archive."""
    return struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, size, at, 0)


def overlapping(count: int, size: int) -> bytes:
    """Return many entries sharing one place, each with many zeros: David Fifield's simple construction."""
    data = _deflated(size)
    crc = zlib.crc32(bytes(size))
    body = local(b"a", crc, len(data), size) + data
    directory = b"".join(central(b"a", crc, len(data), size, 0) for _ in range(count))
    return body + directory + end(count, len(directory), len(body))


def nested_quotes(count: int, size: int) -> bytes:
    """Return entries that each quote, in stored deflate blocks, the headers of those after it, then the zeros."""
    zeros = _deflated(size)
    crc = zlib.crc32(bytes(size))
    files = [(b"%04d" % number, crc, len(zeros), size) for number in range(count)]
    headers = [local(*file) for file in files]
    places = [sum(map(len, headers[:number])) for number in range(count)]
    body = b"".join(headers) + zeros
    longer = [(name, crc, len(body) - at - len(header), size)
              for (name, crc, _, size), at, header in zip(files, places, headers, strict=True)]  # fmt: skip
    directory = b"".join(central(*file, at) for file, at in zip(longer, places, strict=True))
    return body + directory + end(count, len(directory), len(body))


def lying(data: bytes, says: int) -> bytes:
    """Return one entry whose headers give a false size."""
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(data) + packer.flush()
    crc = zlib.crc32(data)
    body = local(b"a", crc, len(packed), says) + packed
    directory = central(b"a", crc, len(packed), says, 0)
    return body + directory + end(1, len(directory), len(body))


def link(target: str = "/etc/passwd") -> bytes:
    """Return an archive with a symbolic link."""
    info = zipfile.ZipInfo("games.agn")
    info.create_system = 3
    info.external_attr = 0o120777 << 16
    return zipped([(info, target.encode())])


def encrypted() -> bytes:
    """Return an archive whose entry is marked as encrypted."""
    data = bytearray(zipped([("a", b"x")]))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)
