"""Zip archives, read strictly: by the central directory, whose entries may neither overlap nor be anything but files.

Python's own reader is too trusting: it makes an object for every entry in advance, and lets many entries share the same
bytes (CVE-2024-0450).
"""

import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import attrgetter

from engine.quoting import printable
from engine.words import words
from games.uploads.unpacking.budget import Budget, Limits, check_size
from games.uploads.unpacking.errors import UnpackError, bad_zip
from games.uploads.unpacking.streams import Source, inflate, pieces, plain

_END = struct.Struct("<4s4H2LH")
_CENTRAL = struct.Struct("<4s4B4HL2L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_SIGN, _CENTRAL_SIGN, _LOCAL_SIGN = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_ZIP64_END_SIGN = b"PK\x06\x06"
"""Of the larger form of the end, which is not needed here and may come between the directory and the end."""
_MOST_DIRECTORY = 16 * 2**20
"""Bytes of a central directory, which is read at once."""
_STORED, _DEFLATED = 0, 8
_ENCRYPTED = 1 | 1 << 6 | 1 << 13
_UTF_8 = 1 << 11
_SATURATED, _SATURATED_COUNT = 0xFFFFFFFF, 0xFFFF
_ZIP64_EXTRA = 1
MOST_NAME = 255
"""Characters of an entry's name that are shown."""


@dataclass(frozen=True, slots=True)
class ZipEntry:
    """A file in a zip archive, as the central directory describes it."""

    name: bytes
    utf_8: bool
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    at: int
    """Where its local header begins."""
    until: int = 0
    """Where the next thing begins."""

    @property
    def shown(self) -> str:
        """Return the name for display only."""
        name = self.name.decode("utf-8" if self.utf_8 else "cp437", "replace")
        return printable(name, "")[-MOST_NAME:]


def entries_of(source: Source, limits: Limits) -> list[ZipEntry]:
    """Return the files of a zip archive, in the order of its directory.

    :raises UnpackError: when it is broken or encrypted, holds what is no file, or says that it holds too much.
    """
    count, size, at = _end(source)
    if count > limits.entries:
        raise too_many_entries(limits)
    if size > _MOST_DIRECTORY:
        raise bad_zip(words("its directory is too long"))
    entries = list(_directory(_read(source, at, size), count))
    _check_places(entries, at)
    check_size(sum(entry.size for entry in entries), limits)
    ends = _ends(entries, at)
    return [replace(entry, until=ends[entry.at]) for entry in entries if not _is_folder(entry)]


def too_many_entries(limits: Limits) -> UnpackError:
    """Return the refusal of an archive with too many files."""
    return UnpackError("too_many_entries", words("An archive may have at most {most} entries.", most=limits.entries))


class _Stored:
    """The bytes of an entry that is stored as it is."""

    def __init__(self, source: Source, begin: int, size: int) -> None:
        self._source, self._begin, self.size = source, begin, size

    def read_at(self, offset: int, size: int, /) -> bytes:
        """Return some bytes from a place on, none of what follows the entry."""
        return self._source.read_at(self._begin + offset, max(0, min(size, self.size - offset)))


def stored(source: Source, entry: ZipEntry) -> Source | None:
    """Return an entry that is stored as it is as a file of its own; none for any other."""
    if entry.method != _STORED or entry.packed != entry.size or not entry.size:
        return None
    return _Stored(source, _data_at(source, entry), entry.size)


def _end(source: Source) -> tuple[int, int, int]:
    """Return how many entries there are, and their directory's size and place."""
    tail_at = max(0, source.size - _END.size - 0xFFFF)
    tail = _read(source, tail_at, source.size - tail_at)
    at = _end_in(tail)
    _, disk, first_disk, here, count, size, offset, _ = _END.unpack_from(tail, at)
    if disk or first_disk or here != count:
        raise bad_zip(words("it is split into several volumes"))
    if offset == _SATURATED:
        raise bad_zip(words("its directory is too long"))
    gap = tail_at + at - offset - size
    if gap < 0 or (gap and _read(source, offset + size, 4) != _ZIP64_END_SIGN):
        raise bad_zip(words("its directory is not where it should be"))
    return count, size, offset


def _end_in(tail: bytes) -> int:
    """Return where the end record begins in the last bytes: nothing follows it but its comment."""
    at = tail.rfind(_END_SIGN)
    while at >= 0:
        if len(tail) - at >= _END.size and at + _END.size + int(_END.unpack_from(tail, at)[-1]) == len(tail):
            return at
        at = tail.rfind(_END_SIGN, 0, at)
    raise bad_zip(words("its end is missing"))


def _read(source: Source, at: int, size: int) -> bytes:
    found = b"".join(pieces(source, at, min(at + size, source.size)))
    if len(found) < size:
        raise bad_zip(words("it ends too early"))
    return found


def _directory(data: bytes, count: int) -> Iterator[ZipEntry]:
    at = 0
    for _ in range(count):
        if len(data) - at < _CENTRAL.size:
            raise bad_zip(words("its directory ends too early"))
        (sign, _, _, _, _, flags, method, _, _, crc, packed, size, name_size, extra_size, comment_size, _, _, outer,
         offset) = _CENTRAL.unpack_from(data, at)  # fmt: skip
        name_at = at + _CENTRAL.size
        extra_at = name_at + name_size
        name = data[name_at:extra_at]
        if sign != _CENTRAL_SIGN or len(data) < extra_at + extra_size + comment_size:
            raise bad_zip(words("its directory is damaged"))
        at = extra_at + extra_size + comment_size
        if _SATURATED in (packed, size, offset):
            size, packed, offset = _large(data[extra_at : extra_at + extra_size], size, packed, offset)
        entry = ZipEntry(name, bool(flags & _UTF_8), flags, method, crc, packed, size, offset)
        _check_kind(entry, outer >> 16)
        yield entry
    if at != len(data):
        raise bad_zip(words("its directory is damaged"))


def _large(extra: bytes, *values: int) -> tuple[int, ...]:
    """Return values that are in the zip64 field because they do not fit elsewhere."""
    at = 0
    while len(extra) - at >= 4:  # noqa: PLR2004 (two shorts)
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == _ZIP64_EXTRA and at + 4 + size <= len(extra):
            rest = iter(struct.unpack_from(f"<{size // 8}Q", extra, at + 4))
            return tuple(next(rest, value) if value == _SATURATED else value for value in values)
        at += 4 + size
    return values


def _check_kind(entry: ZipEntry, mode: int) -> None:
    """Refuse entries that are not files or cannot be unpacked."""
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise bad_zip(words("the entry {name} is a link or a device, not a file", name=entry.shown))
    if entry.flags & _ENCRYPTED:
        raise UnpackError("encrypted", words("This zip archive is encrypted. Compress it without a password."))
    if entry.method not in (_STORED, _DEFLATED):
        raise bad_zip(
            words("the entry {name} uses an unsupported compression method: only deflated and stored entries are "
                  "supported",
                  name=entry.shown)
        )  # fmt: skip


def _is_folder(entry: ZipEntry) -> bool:
    return entry.name.endswith(b"/") and not entry.size


def _ends(entries: list[ZipEntry], directory: int) -> dict[int, int]:
    """Return where the next thing begins, by where an entry does."""
    begins = [*sorted(entry.at for entry in entries), directory]
    return dict(pairwise(begins))


def _check_places(entries: list[ZipEntry], directory: int) -> None:
    """Refuse entries that share bytes, by which small archives unpack to very much."""
    end = 0
    for entry in sorted(entries, key=attrgetter("at")):
        if entry.at < end:
            raise UnpackError("overlap", words("Entries of this zip archive overlap, so it is not valid."))
        end = entry.at + _LOCAL.size + len(entry.name) + entry.packed
    if end > directory:
        raise UnpackError("overlap", words("Entries of this zip archive overlap, so it is not valid."))


def unzip(source: Source, entry: ZipEntry, budget: Budget) -> Iterator[bytes]:
    """Yield the content of an entry.

    :raises UnpackError: when it is not what the directory says, as soon as that shows.
    """
    begin = _data_at(source, entry)
    packed = pieces(source, begin, begin + entry.packed)
    unpack = inflate if entry.method == _DEFLATED else plain
    size = crc = 0
    for block in unpack(packed, budget):
        size += len(block)
        crc = zlib.crc32(block, crc)
        if size > entry.size:
            break
        yield block
    if (size, crc) != (entry.size, entry.crc):
        raise bad_zip(words("the entry {name} does not have the content that its directory gives", name=entry.shown))


def _data_at(source: Source, entry: ZipEntry) -> int:
    """Return where an entry's packed data begins, by its local header, which must agree with the directory."""
    header = _read(source, entry.at, _LOCAL.size)
    sign, _, flags, method, *_, name_size, extra_size = _LOCAL.unpack(header)
    name_at = entry.at + _LOCAL.size
    begin = name_at + int(name_size) + int(extra_size)
    named = (sign, method, flags & _ENCRYPTED, _read(source, name_at, name_size))
    if named != (_LOCAL_SIGN, entry.method, 0, entry.name):
        raise bad_zip(words("the entry {name} does not match its directory", name=entry.shown))
    if begin + entry.packed > entry.until:
        raise UnpackError("overlap", words("Entries of this zip archive overlap, so it is not valid."))
    return begin
