"""Detects the format of a file by its first bytes; its name does not matter."""

from enum import StrEnum

from engine.words import words
from games.uploads.unpacking.errors import UnpackError

ENOUGH = 512
"""Bytes at the beginning of a file from which its format is known."""


class Format(StrEnum):
    """How a file is packed."""

    PLAIN = "plain"
    GZIP = "gzip"
    ZSTD = "zstd"
    ZIP = "zip"


_FORMATS = {
    b"\x1f\x8b": Format.GZIP,
    b"\x28\xb5\x2f\xfd": Format.ZSTD,
    b"PK\x03\x04": Format.ZIP,
    b"PK\x05\x06": Format.ZIP,
}
_SKIPPABLE = b"\x2a\x4d\x18"
"""The rest of the sign of a zstd frame without data; its first byte is 0x50 to 0x5f."""
_REFUSED = {
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "RAR",
    b"\x04\x22\x4d\x18": "lz4",
    b"\x1f\x9d": "compress",
    b"PK\x07\x08": "zip in several volumes",
}
_TAR_AT, _TAR = 257, b"ustar"
_BZIP2 = b"1AY&SY"
_DEBRIS = (b"\x00\x05\x16\x07", b"\x00\x05\x16\x00", b"\x00\x00\x00\x01Bud1")
"""What macOS adds to the files in an archive: resource forks and folder views."""


def format_of(head: bytes) -> Format:
    """Return how a file with this beginning is packed. :raises UnpackError: when its format is not supported."""
    for magic, found in _FORMATS.items():
        if head.startswith(magic):
            return found
    if head[1:4] == _SKIPPABLE and head[0] & 0xF0 == 0x50:  # noqa: PLR2004 (the format's own)
        return Format.ZSTD
    if kind := _refused(head):
        raise UnpackError("not_taken", words("This is {kind}. Compress files with gzip, zstd or zip.", kind=kind))
    return Format.PLAIN


def _refused(head: bytes) -> str:
    """Return the name of an unsupported format; empty otherwise."""
    if head[:3] == b"BZh" and head[4:10] == _BZIP2:
        return "bzip2"
    if head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return "tar"
    return next((kind for magic, kind in _REFUSED.items() if head.startswith(magic)), "")


def is_debris(head: bytes) -> bool:
    """Return whether an entry was added by an operating system, not by the user."""
    return head.startswith(_DEBRIS)
