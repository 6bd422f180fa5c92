"""Packing: records as zstd frames, each with the number of its dictionary.

Dictionaries are files (`games/dictionaries/`, made by `python -m bench.dictionaries`), one a ruleset, and each has a
number. A number always means the same dictionary, because rows refer to it; a newer dictionary gets a new one. The
dictionary is guessed from the first bytes: a wrong guess only costs bytes.
"""

import re
from functools import cache
from pathlib import Path

from engine.registry import RULESETS
from games.zstd import zstd

FOLDER = Path(__file__).resolve().parent / "dictionaries"
MOST = 1 << 20
"""Bytes that come out of a frame at most. Twice the longest record as it was sent (256 KiB, but a line's end counts as
one byte), which is more than a canonical text comes to: 5,000 actions, 64 tags, and the comments that were sent."""
HEAD = 18
"""Bytes of a frame that say how long its record is."""
LEVEL = 3
"""Of zstd. Level 6 takes three times as long for 2 to 6 per cent, and level 12 twice as long again."""
_WINDOW_LOG = MOST.bit_length() - 1
_NONE = 0
"""In the place of a dictionary's number."""
_LOOKED_AT = 512
"""Bytes among which the tags are looked for that name a ruleset."""
_NAMING = re.compile(rb'(Game|Rules)"?[ \t]*:?[ \t]*"([^"\\]*)"')


class PackingError(ValueError):
    """A record that cannot be packed, or unpacked."""


class DamagedError(PackingError):
    """A frame that cannot be unpacked."""


def pack(record: bytes) -> bytes:
    """Return a record as a frame; empty stays empty. :raises PackingError: when it is longer than any record."""
    if not record:
        return b""
    if len(record) > MOST:
        raise PackingError(f"A record of {len(record)} bytes is not packed: {MOST} are the most.")
    packer = _packer(_guessed(record))
    return packer.compress(record, packer.FLUSH_FRAME)


def unpack(frame: bytes) -> bytes:
    """Return the record in a frame.

    :raises DamagedError: when it cannot be unpacked.
    :raises PackingError: when its dictionary is missing.
    """
    if not frame:
        return b""
    try:
        unpacker = _unpacker(frame)
        record = unpacker.decompress(frame, MOST + 1)
    except zstd.ZstdError as error:
        raise DamagedError(f"A packed record is damaged: {error}") from None
    if len(record) > MOST:
        raise DamagedError(f"A packed record is damaged: more than {MOST} bytes come out of it.")
    if not unpacker.eof or unpacker.unused_data:
        raise DamagedError("A packed record is damaged: it does not end where its bytes end.")
    return record


def unpacked_size(head: bytes) -> int:
    """Return a record's length from its frame's first bytes; if they do not say, the maximum."""
    if not head:
        return 0
    try:
        size = zstd.get_frame_info(head).decompressed_size
    except zstd.ZstdError:
        size = None
    return MOST if size is None else size


# Dictionaries


@cache
def dictionaries() -> dict[int, zstd.ZstdDict]:
    """Return all dictionaries by number."""
    return {_number(path): zstd.ZstdDict(path.read_bytes()) for path in FOLDER.glob("*.zdict")}


def _number(path: Path) -> int:
    return int(path.name.partition("-")[0])


@cache
def newest() -> dict[str, int]:
    """Return the number of each ruleset's newest dictionary, by slug."""
    files = sorted(FOLDER.glob("*.zdict"), key=_number)
    return {path.stem.partition("-")[2]: _number(path) for path in files}


@cache
def _by_tags() -> dict[tuple[bytes, bytes], int]:
    known = newest()
    return {(each.game.encode(), each.edition.encode()): known.get(each.slug, _NONE) for each in RULESETS}


def _guessed(record: bytes) -> int:
    """Return the number of the dictionary that suits a record, in text or JSON."""
    named = dict(_NAMING.findall(record, 0, _LOOKED_AT))
    return _by_tags().get((named.get(b"Game", b""), named.get(b"Rules", b"")), _NONE)


@cache
def _packer(number: int) -> zstd.ZstdCompressor:
    """Return a cached packer: making one takes longer than packing a record. Threads share it under its lock."""
    words = dictionaries()[number].as_digested_dict if number else None
    # The checksum detects flipped bits, in the frame or in the dictionary.
    level, checked = zstd.CompressionParameter.compression_level, zstd.CompressionParameter.checksum_flag
    options: dict[int, int] = {level: LEVEL, checked: 1}
    return zstd.ZstdCompressor(options=options, zstd_dict=words)


def _unpacker(frame: bytes) -> zstd.ZstdDecompressor:
    number = zstd.get_frame_info(frame).dictionary_id
    words = dictionaries().get(number) if number else None
    if number and words is None:
        raise PackingError(f"A record was packed with dictionary {number}, which is not in games/dictionaries.")
    return zstd.ZstdDecompressor(zstd_dict=words, options={zstd.DecompressionParameter.window_log_max: _WINDOW_LOG})
