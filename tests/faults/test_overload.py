"""One account, and visitors of several addresses, ask for the most that is allowed: the site goes on answering."""

import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median

import pytest

from engine.army_ants.ruleset import ARMY_ANTS
from tests.faults.breaking import children_of
from tests.faults.site import Site, running
from tests.games.longest import longest

pytestmark = pytest.mark.full
GAME = longest(ARMY_ANTS).text()
"""A game of 5,000 actions."""
MEMORY = 320
"""MiB of one web process; alone on a quiet machine it stays below 290."""
LATE = {"/health": 0.5, "/": 1.0}
"""Seconds within which these are answered as a rule; beside other tests some answers take longer."""


@dataclass
class Watch:
    """How long a visitor waits, and how much memory the web processes take."""

    site: Site
    waits: dict[str, list[float]] = field(default_factory=lambda: {path: [] for path in LATE})
    memory: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch as long as the context lasts."""
        threads = [threading.Thread(target=work) for work in (self._wait, self._weigh)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def _wait(self) -> None:
        while not self._over.wait(0.1):
            for path, waits in self.waits.items():
                begin = time.monotonic()
                assert ask(self.site, "GET", path, address="127.0.9.9")[0] == 200
                waits.append(time.monotonic() - begin)

    def _weigh(self) -> None:
        web = self.site.services["web"].process
        assert web
        while not self._over.wait(0.05):
            self.memory = max(self.memory, *map(_resident, _family(web.pid)))


def _family(pid: int) -> list[int]:
    """Return a process and all below it."""
    return [pid, *(one for child in children_of(pid) for one in _family(child))]


def _resident(pid: int) -> int:
    """Return the memory of a process in MiB; 0 if it is gone."""
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("VmRSS")), 0)
    return 0


def ask(
    site: Site, method: str, path: str, *, address: str, body: bytes | None = None, **headers: str
) -> tuple[int, bytes]:
    """Send a request from an address of this machine. :returns: the status and the body."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(HTTPConnection("127.0.0.1", site.port, timeout=120, source_address=(address, 0))) as connection:
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        return answer.status, answer.read()


def at_once(requests: Sequence[partial[tuple[int, bytes]]]) -> list[int]:
    """Send requests at the same time. :returns: their statuses; 0 for a connection that ended without an answer."""
    statuses: list[int] = []

    def send(request: partial[tuple[int, bytes]]) -> None:
        try:
            statuses.append(request()[0])
        except (OSError, HTTPException):
            statuses.append(0)

    threads = [threading.Thread(target=send, args=(one,)) for one in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with the limits that sites have, and one account's game of 5,000 actions."""
    with running(tmp_path_factory.mktemp("overload") / "site", lease=60, clocks_differ=False, limited=True) as site:
        site.token = f"Bearer {site.manage('make_token', 'alice').stdout.strip()}"
        upload(site)
        yield site


def upload(site: Site) -> None:
    status, _ = ask(site, "POST", "/api/v1/uploads", address="127.0.0.1", body=GAME.encode(), Authorization=site.token)
    assert status == 202
    site.let_pass(1)
    deadline = time.monotonic() + 60
    while not games(site):
        assert time.monotonic() < deadline, "the game is not verified"
        site.let_pass(0.5)


def games(site: Site) -> list[str]:
    """Return the keys of the public games."""
    return [one["key"] for one in json.loads(ask(site, "GET", "/api/v1/games", address="127.0.0.1")[1])["games"]]


def check(watch: Watch) -> None:
    """Check what a visitor noticed."""
    assert watch.memory < MEMORY
    assert {path: median(waits) < LATE[path] for path, waits in watch.waits.items()} == dict.fromkeys(LATE, True)
    assert all(watch.waits.values())


@pytest.mark.parametrize("chapters", [64, 4])
def test_imports_of_studies_keep_nobody_waiting(site: Site, chapters: int) -> None:
    file, watch = "\n\n".join([GAME.strip()] * chapters).encode(), Watch(site)
    send = partial(ask, site, "POST", body=file, Authorization=site.token, Content_Type="text/plain")
    with watch.watching():
        paths = [f"/api/v1/studies/import?title=Study{number}" for number in range(12)]
        statuses = at_once([partial(send, path, address=f"127.0.1.{at % 4}") for at, path in enumerate(paths)])
        site.let_pass(1)
    assert {*statuses} <= ({201, 429, 503} if chapters == 4 else {413, 429, 503})
    check(watch)


def test_readers_who_do_not_read_keep_nobody_waiting(site: Site) -> None:
    (key,), watch = games(site), Watch(site)
    paths = (f"/games/{key}/print/", "/api/v1/games/export?format=annotated", f"/api/v1/games/{key}/frames")
    with watch.watching(), ExitStack() as opened:
        for number in range(60):
            one = socket.create_connection(("127.0.0.1", site.port), source_address=(f"127.0.2.{number % 6}", 0))
            opened.callback(one.close)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.sendall(f"GET {paths[number % 3]} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        site.let_pass(5)
    check(watch)


def test_what_grows_with_a_game_keeps_nobody_waiting(site: Site) -> None:
    (key,), watch = games(site), Watch(site)
    paths = [
        f"/games/{key}/",
        f"/games/{key}/print/",
        *(f"/api/v1/games/{key}/{part}" for part in ("position?ply=4000", "states", "frames", "story")),
        f"/api/v1/games/{key}/picture?format=png",
        "/api/v1/games/export?format=annotated",
        "/api/v1/openings/army-ants",
    ]
    reads = [partial(ask, site, "GET", paths[at % len(paths)], address=f"127.0.3.{at % 6}") for at in range(90)]
    draft = json.dumps({"text": GAME}).encode()
    write = partial(ask, site, "POST", "/api/v1/positions", body=draft, Content_Type="application/json")
    with watch.watching():
        statuses = at_once([*reads, *(partial(write, address=f"127.0.4.{at % 6}") for at in range(30))])
        site.let_pass(1)
    assert {*statuses} <= {200, 429, 503}
    check(watch)
