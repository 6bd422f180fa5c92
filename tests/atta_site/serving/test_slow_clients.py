"""The web server with clients that send nothing, send slowly or do not read."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from atta_site import processes
from games.models import Archive

LARGE = "/static/rest_framework/css/bootstrap.min.css.map"
"""A file of half a megabyte."""


class Slow:
    """A client that sends some bytes and then nothing, and reads nothing."""

    def __init__(self, site: str, said: bytes) -> None:
        place = urlsplit(site)
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect((place.hostname, place.port))
        self.socket.sendall(said)

    def answer(self) -> tuple[int, bytes]:
        """Return the status and body of the response."""
        self.socket.settimeout(40)
        answer = HTTPResponse(self.socket)
        answer.begin()
        return answer.status, answer.read()


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def token(transactional_db: None) -> str:
    return str(AuthToken.objects.create(User.objects.create_user("alice"))[1])


def request(method: str, path: str, **headers: object) -> bytes:
    """Return a request without its body."""
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in {"Host": "localhost", **headers}.items()]
    return f"{method} {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode()


def ask(site: str, path: str) -> int:
    """Request a page and wait so long that no slow client can have been given up in the meantime."""
    connection = HTTPConnection(urlsplit(site).netloc, timeout=20)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def is_there(site: str) -> bool:
    """Return whether a server answers, even with an error."""
    connection = HTTPConnection(urlsplit(site).netloc, timeout=30)
    try:
        connection.request("GET", "/theme/")
        return connection.getresponse().status == 405
    except OSError:
        return False
    finally:
        connection.close()


def wait_for(true: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.full
def test_five_hundred_idle_and_slow_clients_keep_nobody_waiting(live: str, opened: ExitStack) -> None:
    body = request("POST", "/theme/", Content_Length=10)
    upload = request("POST", "/api/v1/uploads", Content_Length=60 * 2**20, Content_Type="text/plain")
    partial = b"GET / HTTP/1.1\r\nHost: local"
    for said in [b"", partial, body, upload + b"x" * 100_000, request("GET", LARGE) * 60] * 100:
        opened.callback(Slow(live, said).socket.close)

    # If each of these occupied a thread until it is given up, the requests below would wait for minutes.
    assert [ask(live, path) for path in ["/health/live", "/health", "/"] * 5] == [200] * 15


@pytest.mark.full
def test_a_body_that_does_not_come_is_refused(live: str, opened: ExitStack) -> None:
    slow = [Slow(live, request("POST", "/api/v1/uploads", Content_Length=10)) for _ in range(20)]
    for one in slow:
        opened.callback(one.socket.close)

    answers = [one.answer() for one in slow]

    assert {(status, json.loads(body)["error"]["code"]) for status, body in answers} == {(408, "too_slow")}


def test_oversized_headers_get_a_json_error(live: str, opened: ExitStack) -> None:
    cookies = 'a="' + '\\"' * 5000 + '"'
    for headers, error in [({"Cookie": cookies}, "headers_too_large"), ({"X_Any": "a" * 20_000}, "headers_too_large")]:
        opened.callback((client := Slow(live, request("GET", "/", **headers))).socket.close)
        status, body = client.answer()
        assert (status, json.loads(body)["error"]["code"]) == (431, error)


def test_headers_beyond_the_server_buffer_get_a_bare_431(live: str, opened: ExitStack) -> None:
    opened.callback((client := Slow(live, request("GET", "/", Cookie="a" * 150_000))).socket.close)

    assert client.answer() == (431, b"")


def test_client_sending_an_oversized_body_still_gets_the_error(live: str, opened: ExitStack) -> None:
    said = request("POST", "/theme/", Content_Length=1_000_000) + b"x" * 1_000_000
    opened.callback((client := Slow(live, said)).socket.close)

    status, body = client.answer()

    assert (status, json.loads(body)["error"]["code"]) == (413, "too_large")


def test_interrupted_tus_chunk_keeps_every_received_byte(live: str, token: str, opened: ExitStack) -> None:
    tus = {"Tus_Resumable": "1.0.0", "Authorization": f"Bearer {token}"}
    opened.callback(
        (first := Slow(live, request("POST", "/api/v1/files", Upload_Length=9_000_000, **tus))).socket.close
    )
    assert first.answer()[0] == 201
    where = f"/api/v1/files/{Archive.objects.get().pk}"
    piece = {"Content_Type": "application/offset+octet-stream", "Upload_Offset": 0, "Content_Length": 9_000_000, **tus}

    broken = Slow(live, request("PATCH", where, **piece) + b"x" * 3_000_001)
    broken.socket.close()

    wait_for(lambda: Archive.objects.get().received == 3_000_001)


@pytest.mark.full
def test_server_shuts_down_despite_a_client_that_is_still_sending(live: str, tmp_path: Path) -> None:
    port = processes.free_port()
    site = f"http://127.0.0.1:{port}"
    with ExitStack() as opened, (tmp_path / "log").open("wb") as log:
        server = processes.spawn(processes.web("127.0.0.1", port, workers=1), log.fileno())
        opened.callback(processes.kill, server)
        wait_for(lambda: is_there(site))
        opened.callback(Slow(site, request("POST", "/theme/", Content_Length=10)).socket.close)

        processes.end(server)

        assert server.returncode == 0
