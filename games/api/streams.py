"""Streamed answers: lines, and tables as CSV."""

import csv
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from games.records.reads.streams import whole_or_stream

CSV = "text/csv; charset=utf-8"
_BUNDLE = 200
"""Lines sent at once."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes what begins with one of these for something to compute."""


def streamed(lines: Iterator[str], name: str, content_type: str) -> HttpResponseBase:
    """Return lines as a file: at once if they are few, otherwise streamed.

    :raises ExportError: when another long answer is being sent.
    """
    body = whole_or_stream(_bundled(lines))
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    answer = HttpResponse if isinstance(body, bytes) else StreamingHttpResponse
    return answer(body, content_type=content_type, headers=disposition)


def _bundled(lines: Iterator[str]) -> Generator[bytes]:
    while bundle := "".join(islice(lines, _BUNDLE)):
        yield bundle.encode()


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Return a table as the lines of a CSV file, its head first."""
    write = csv.writer(_Echo()).writerow
    yield write(columns)
    yield from map(write, rows)


class _Echo:
    """A file whose `write` returns what is written."""

    def write(self, text: str) -> str:
        """Give it back."""
        return text


def spreadsheet_safe(text: str) -> str:
    """Return a text from a user so that no spreadsheet treats it as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
