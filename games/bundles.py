"""Bundles: several files as one zip archive, the same bytes for the same files, each stored as it is.

A stored file may be packed itself: whoever unpacks the bundle finds it at its place.
"""

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Protocol

ENDINGS = frozenset({".agn", ".txt", ".json", ".ndjson", ".gz", ".zst", ".zip"})
"""Of the names of files that may hold games."""
_PIECE = 2**20
"""Bytes read at once."""


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return some bytes; none at the end."""


def bundle(files: Iterable[tuple[str, Readable]], into: IO[bytes]) -> None:
    """Write files, each with its name, as a zip archive; names that are there already get a number."""
    taken = set[str]()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_STORED) as archive:
        for name, file in files:
            with archive.open(zipfile.ZipInfo(_free(name, taken)), "w", force_zip64=False) as entry:
                while data := file.read(_PIECE):
                    entry.write(data)


def files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files in a folder and those below it that may hold games, by their names in it, sorted."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        if path.is_file() and not hidden and path.suffix.lower() in ENDINGS:
            yield inside.as_posix(), path


def bundle_folder(folder: Path, into: IO[bytes]) -> None:
    """Write the files of a folder that may hold games as a zip archive."""
    bundle(_opened(folder), into)


def filename_of(name: str) -> str:
    """Return the name under which a file or folder is uploaded; empty for standard input."""
    if name == "-":
        return ""
    path = Path(name)
    return f"{path.resolve().name}.zip" if path.is_dir() else path.name


def _opened(folder: Path) -> Iterator[tuple[str, Readable]]:
    for name, path in files_in(folder):
        with path.open("rb") as file:
            yield name, file


def _free(name: str, taken: set[str]) -> str:
    stem, dot, ending = name.rpartition(".")
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{stem} ({number}){dot}{ending}" if dot else f"{name} ({number})"
    taken.add(free)
    return free
