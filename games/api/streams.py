"""Answers that are too long to be held: lines, sent while they are read, and tables as such lines."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from django.http import StreamingHttpResponse

CSV = "text/csv; charset=utf-8"
_BUNDLE = 200
"""Lines sent at once."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes what begins with one of these for something to compute."""


def streamed(lines: Iterator[str], name: str, content_type: str) -> StreamingHttpResponse:
    """Lines as a file, some thousand characters at a time."""
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(_bundled(lines), content_type=content_type, headers=disposition)


def _bundled(lines: Iterator[str]) -> Iterator[bytes]:
    while bundle := "".join(islice(lines, _BUNDLE)):
        yield bundle.encode()


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table as the lines of a CSV file, its head first."""
    write = csv.writer(_Echo()).writerow
    yield write(columns)
    yield from map(write, rows)


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        """Gives it back."""
        return text


def harmless(text: str) -> str:
    """A text that somebody else has chosen, so that no spreadsheet computes it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
