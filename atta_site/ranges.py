"""Ranges of static files: whitenoise refuses one-byte ranges, and serves ranges of older versions."""

import re
from http import HTTPStatus
from typing import Any

from csp.constants import WASM_UNSAFE_EVAL
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import Response, SlicedFile, StaticFile

_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.ASCII)
"""One range; several, or anything else, may be ignored, and the whole file is sent then."""


_PYTHON = re.compile(r"/vendor/pyodide-[0-9.]+/")
"""Python for browsers, whose parts ask for each other by name: the folder's name says which version they are."""
_WORKER = re.compile(r"/js/engine/worker(\.[0-9a-f]+)?\.js$")
"""The only script that may run WebAssembly. What a worker may do, its own answer says, and not that of a page."""
_INERT = (".css", ".woff2")
"""Endings of files that load nothing when they are opened on their own: a policy would only make them longer."""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc] # it brings no types
    """Middleware: answers with static files, or with the part that is asked for."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponseBase:
        """Answer with a file."""
        answer: HttpResponseBase = WhiteNoiseMiddleware.serve(_Parted(static_file), request)
        if _WORKER.search(request.path):
            setattr(answer, "_csp_update", {"script-src": [WASM_UNSAFE_EVAL]})  # noqa: B010 - as csp_update does for views
        elif request.path.endswith(_INERT):
            setattr(answer, "_csp_exempt", True)  # noqa: B010 - as csp_exempt does for views
        return answer

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Say whether what has this address never changes, so that browsers may keep it."""
        return bool(_PYTHON.search(url) or super().immutable_file_test(path, url))


class _Parted:
    """A static file that also answers range requests."""

    def __init__(self, whole: StaticFile) -> None:
        self._whole = whole

    def get_response(self, method: str, asked: dict[str, Any]) -> Response:
        """Return the file, or the requested part."""
        answer = self._whole.get_response(method, {**asked, "HTTP_RANGE": ""})
        wanted = _RANGE.fullmatch(asked.get("HTTP_RANGE", "").strip())
        if wanted is None or method != "GET" or answer.status != HTTPStatus.OK or _is_outdated(answer, asked):
            return answer
        return _part(answer, wanted[1], wanted[2])


def _is_outdated(answer: Response, asked: dict[str, Any]) -> bool:
    """Return whether the range is requested only for another version of the file."""
    headers = dict(answer.headers)
    return asked.get("HTTP_IF_RANGE", headers["ETag"]) not in (headers["ETag"], headers["Last-Modified"])


def _part(answer: Response, first: str, last: str) -> Response:
    """Return the bytes from the first to the last; without a first, so many at the end."""
    size = int(dict(answer.headers)["Content-Length"])
    if (not first and not last) or (first and last and int(last) < int(first)):
        return answer  # not a range
    start = int(first) if first else max(0, size - int(last))
    end = min(int(last), size - 1) if first and last else size - 1
    if start > end:
        return StaticFile.get_range_not_satisfiable_response(answer.file, size)
    headers = [pair for pair in answer.headers if pair[0] != "Content-Length"]
    headers += [("Content-Range", f"bytes {start}-{end}/{size}"), ("Content-Length", str(end - start + 1))]
    return Response(HTTPStatus.PARTIAL_CONTENT, headers, SlicedFile(answer.file, start, end))
