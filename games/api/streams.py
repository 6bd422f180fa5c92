"""Streamed answers, line by line."""

from collections.abc import Generator, Iterator
from itertools import islice

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from games.records.reads.streams import whole_or_stream

_BUNDLE = 200
"""Lines sent at once."""


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
