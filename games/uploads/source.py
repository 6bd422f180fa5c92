"""The source of an upload: a stream whose beginning shows its format, with a running digest."""

from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from tempfile import TemporaryFile
from typing import Any, NamedTuple, Protocol, Self
from weakref import finalize
from zipfile import ZipFile

from django.core.files.uploadedfile import UploadedFile

from games.bundles import bundle

MAX_BYTES = 8 * 1024 * 1024
"""Of a file that is cut in the request, as all files sent without an account are. A game has at most 256 KiB."""
_PIECE = 2**20
"""Bytes read at once."""


class Stream(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return some bytes; none at the end."""


class Source:
    """A file being uploaded: its beginning (all of a short file), and the rest, which is read once."""

    def __init__(self, stream: Stream, size: int, filename: str = "") -> None:
        """Read the beginning of a stream that should have `size` bytes."""
        self.size, self.filename = size, filename
        self.head, self._rest = read_up_to(stream, MAX_BYTES + 1), stream
        self.is_whole = len(self.head) <= MAX_BYTES
        self.parts = [NamedPart("", self.head)]
        """What a short file consists of: itself, without a name."""
        self._hash, self._at = sha256(self.head), 0

    @classmethod
    def of(cls, data: bytes, filename: str = "") -> Self:
        """Return bytes at hand as a source."""
        return cls(BytesIO(data), len(data), filename)

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, from the beginning on; none at the end."""
        data = self.head[self._at : self._at + size]
        self._at += len(data)
        if not data:
            data = self._rest.read(size)
            self._hash.update(data)
        return data

    def digest(self) -> str:
        """Return the SHA-256 of the whole file; this reads the rest of a long one."""
        while not self.is_whole and self.read(_PIECE):
            pass
        return self._hash.hexdigest()


class NamedPart(NamedTuple):
    """One of several files that are uploaded as one."""

    name: str
    data: bytes


class Bundle(Source):
    """Several files as one, a zip archive; short ones are at hand as they are, too."""

    def __init__(self, files: Sequence[tuple[str, Stream]], filename: str) -> None:
        """Read all files."""
        archive = TemporaryFile()  # noqa: SIM115 (open as long as it is read)
        finalize(self, archive.close)
        bundle(files, archive)
        size = archive.tell()
        archive.seek(0)
        super().__init__(archive, size, filename)
        if self.is_whole:
            with ZipFile(archive) as files_in_it:
                self.parts = [NamedPart(name, files_in_it.read(name)) for name in files_in_it.namelist()]


def source_of(files: "Sequence[UploadedFile[Any]]") -> Source:
    """Return the files of a form as a source: one as it is, several as one that is named by the first."""
    first, *others = files
    name = first.name or ""
    if not others:
        return Source(first, first.size or 0, name)
    return Bundle([(file.name or "-", file) for file in files], f"{name} + {len(others)}")


def read_up_to(stream: Stream, size: int) -> bytes:
    """Return so many bytes of a stream, or all if there are fewer."""
    parts = list[bytes]()
    while size and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
