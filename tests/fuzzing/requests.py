"""What must hold of the headers and parameters of every request."""

from contextlib import suppress
from datetime import date

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFieldsSent
from django.db import OperationalError
from django.http import QueryDict
from django.test import RequestFactory
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from atta_site.gate import refusal
from games.api import files
from games.api.careers import CareerQuery
from games.api.exports import ExportQuery
from games.api.films import FilmQuery
from games.api.ladders import BoardQuery
from games.api.openings import OpeningQuery
from games.api.pictures import PictureQuery
from games.api.reports import ReportQuery
from games.api.stories import BranchQuery
from games.api.study_shapes import StudiesQuery
from games.api.table_shapes import TableQuery, TablesQuery
from games.ladders.reads.leaderboard_query import read
from games.platform.errors import RefusedError
from games.platform.paging import CursorError, beyond
from games.platform.parameters import ParameterError

_QUERIES = (
    BoardQuery, BranchQuery, CareerQuery, ExportQuery, FilmQuery, TableQuery, OpeningQuery, PictureQuery, ReportQuery,
    StudiesQuery, TablesQuery,
)  # fmt: skip
_TODAY = date(2026, 11, 23)
_REFUSED = (APIException, RefusedError, SuspiciousOperation, OperationalError)
"""The last one where a club is looked up without a database."""


def check_parameters(data: bytes) -> None:
    """Read the query of an address as every list, board and export does; only a clear refusal may come of it."""
    with suppress(TooManyFieldsSent, RequestDataTooBig):
        query = QueryDict(data)
        for kind in _QUERIES:
            with suppress(ParameterError):
                kind(data=query).is_valid()
        with suppress(ParameterError):
            read(query.dict(), _TODAY)
        with suppress(CursorError):
            beyond(query.get("after", ""), "received_at", upwards=True)


def check_tus(data: bytes) -> None:
    """Read the headers of the tus protocol; only a clear refusal may come of it."""
    lines = (line.partition(b":") for line in data.splitlines())
    named = {f"HTTP_{_text(name).upper().replace('-', '_')}": _text(value).strip() for name, _, value in lines}
    given = RequestFactory().generic("POST", "/api/v1/files", content_type="application/offset+octet-stream", **named)  # type: ignore[arg-type]
    if refusal(given.META):
        return
    request = Request(given)
    with suppress(*_REFUSED):
        files._begun_as(request)
    with suppress(*_REFUSED):
        files._number(request, "Upload-Offset")
    if "Upload-Checksum" in request.headers:
        with suppress(*_REFUSED):
            files._checksum(request)


def _text(sent: bytes) -> str:
    """Return bytes of a header as WSGI passes them on."""
    return sent.decode("latin-1")
