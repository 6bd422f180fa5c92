"""Who asks a busy site asks again, and is refused by one that refuses."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.error import HTTPError
from urllib.request import Request

import pytest

from tests.faults.asking import answer_to


@contextmanager
def site(*statuses: int) -> Iterator[Request]:
    """Serve answers with these statuses, one after the other, and yield how to ask for one."""
    left = iter(statuses)

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(next(left))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(b'{"here": true}')

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Request(f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()


def test_a_busy_site_is_asked_again_until_it_answers() -> None:
    with site(503, 503, 200) as request:
        assert answer_to(request) == {"here": True}


def test_what_a_site_refuses_is_not_asked_again() -> None:
    with site(404) as request, pytest.raises(HTTPError, match="404"):
        answer_to(request)
