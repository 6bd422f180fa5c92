"""Archives that nobody sends in good faith, built on the spot."""

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
    """A source in memory, which gives less at once than it is asked for."""

    data: bytes
    most: int = 10_000

    @property
    def size(self) -> int:
        return len(self.data)

    def read_at(self, offset: int, size: int, /) -> bytes:
        return self.data[offset : offset + min(size, self.most)]


def zipped(files: Iterable[tuple[str | zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive as any packer writes it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def zstd_of(data: bytes, **options: int) -> bytes:
    """Packed by zstd, with the given parameters of compression."""
    return zstd.compress(data, options={zstd.CompressionParameter[name]: value for name, value in options.items()})


def streamed_zstd(data: bytes, **options: int) -> bytes:
    """Packed by zstd as a stream, whose window does not shrink to what there is."""
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter[name]: value for name, value in options.items()})
    return packer.compress(data) + packer.flush()


def zeros_in_zstd(size: int) -> bytes:
    """So many zeros (a multiple of a MiB) in a frame of zstd that says no size, about 1:30,000."""
    packer = zstd.ZstdCompressor()
    block = bytes(MIB)
    return b"".join([*(packer.compress(block) for _ in range(size // MIB)), packer.flush()])


def zeros_in_gzip(size: int) -> bytes:
    """So many zeros (a multiple of a MiB) in a member of gzip, 1:1028."""
    packer = zlib.compressobj(9, wbits=31)
    block = bytes(MIB)
    return b"".join([*(packer.compress(block) for _ in range(size // MIB)), packer.flush()])


def _deflated(size: int) -> bytes:
    packer = zlib.compressobj(9, wbits=-15)
    return b"".join([*(packer.compress(bytes(MIB)) for _ in range(size // MIB)), packer.flush()])


def local(name: bytes, crc: int, packed: int, size: int, method: int = 8) -> bytes:
    """A local header."""
    return struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, method, 0, 0, crc, packed, size, len(name), 0) + name


def central(name: bytes, crc: int, packed: int, size: int, at: int, method: int = 8) -> bytes:
    """An entry of a directory."""
    head = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 3, 20, 0, 0, method, 0, 0, crc, packed, size, len(name),
                       0, 0, 0, 0, 0o100644 << 16, at)  # fmt: skip
    return head + name


def end(count: int, size: int, at: int) -> bytes:
    """The end of an archive."""
    return struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, size, at, 0)


def overlapping(count: int, size: int) -> bytes:
    """Many entries that all stand in one place, each of so many zeros: David Fifield's construction, the simple one."""
    data = _deflated(size)
    crc = zlib.crc32(bytes(size))
    body = local(b"a", crc, len(data), size) + data
    directory = b"".join(central(b"a", crc, len(data), size, 0) for _ in range(count))
    return body + directory + end(count, len(directory), len(body))


def nested_quotes(count: int, size: int) -> bytes:
    """Entries of which each holds, in stored blocks of deflate, the headers of those after it and then the zeros."""
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
    """One entry whose headers say another size than what comes out."""
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(data) + packer.flush()
    crc = zlib.crc32(data)
    body = local(b"a", crc, len(packed), says) + packed
    directory = central(b"a", crc, len(packed), says, 0)
    return body + directory + end(1, len(directory), len(body))


def link(target: str = "/etc/passwd") -> bytes:
    """An archive with a symbolic link in it."""
    info = zipfile.ZipInfo("games.agn")
    info.create_system = 3
    info.external_attr = 0o120777 << 16
    return zipped([(info, target.encode())])


def encrypted() -> bytes:
    """An archive that says of its entry that it is encrypted."""
    data = bytearray(zipped([("a", b"x")]))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)
