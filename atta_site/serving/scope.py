"""Converts the server's request to the one that Django reads."""

import sys
from collections.abc import Iterable, MutableMapping
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIEnvironment

Scope = MutableMapping[str, Any]
_BARE = {b"content-type": "CONTENT_TYPE", b"content-length": "CONTENT_LENGTH"}
_JOINED_BY = {b"cookie": "; "}


def environ_of(scope: Scope) -> WSGIEnvironment:
    """Return the WSGI environment of an ASGI request, without its body."""
    server, client = scope.get("server") or ("", ""), scope.get("client") or ("", "")
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    _add_headers(environ, scope["headers"])
    return environ


def _add_headers(environ: WSGIEnvironment, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Add headers; a name with an underscore would pass for another one with a hyphen, which a proxy may have set."""
    joined = dict[bytes, list[str]]()
    for name, value in headers:
        if b"_" not in name:
            joined.setdefault(name, []).append(value.decode("latin-1"))
    for name, values in joined.items():
        key = _BARE.get(name) or f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}"
        environ[key] = _JOINED_BY.get(name, ",").join(values)
