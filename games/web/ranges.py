"""Files that are sent from where a reader left off, by the web server alone: a slow reader holds no thread."""

import re
from pathlib import Path
from typing import BinaryIO

from django.http import FileResponse, HttpResponse, HttpResponseBase

_RANGE = re.compile(r"bytes=([0-9]{1,18})?-([0-9]{1,18})?")
_TYPES = {".json": "application/json", ".zst": "application/zstd"}


class Part:
    """Some bytes of a file, from where it is."""

    def __init__(self, file: BinaryIO, length: int) -> None:
        self._file, self._left = file, length

    def read(self, size: int) -> bytes:
        """Return the next bytes, nothing at the end."""
        piece = self._file.read(min(size, self._left))
        self._left -= len(piece)
        return piece

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def part_of(path: Path, wanted: str) -> HttpResponseBase:
    """Return a file, or the one range of it that a `Range` header asks for."""
    size = path.stat().st_size
    span = _span(wanted, size)
    if span is None:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    answer = _sent(path, *span)
    answer["Content-Type"] = _TYPES.get(path.suffix, "text/plain; charset=utf-8")
    answer["Accept-Ranges"] = "bytes"
    answer["Content-Disposition"] = f'attachment; filename="{path.name}"'
    if span != (0, size) and answer.status_code == 200:  # noqa: PLR2004 (OK)
        answer.status_code = 206
        answer["Content-Range"] = f"bytes {span[0]}-{span[0] + span[1] - 1}/{size}"
    return answer


def _span(wanted: str, size: int) -> tuple[int, int] | None:
    """Return where it begins, and how long it is; none when the file has no such place."""
    match = _RANGE.fullmatch(wanted)
    if match is None or match[0] == "bytes=-":
        return 0, size
    first, last = match[1], match[2]
    if first is None:
        length = min(int(last), size)
        return (size - length, length) if length else None
    if int(first) >= size or (last is not None and int(last) < int(first)):
        return None
    end = size if last is None else min(int(last) + 1, size)
    return int(first), end - int(first)


def _sent(path: Path, first: int, length: int) -> HttpResponseBase:
    file = path.open("rb")
    file.seek(first)
    answer = FileResponse(Part(file, length))
    answer["Content-Length"] = str(length)
    return answer
