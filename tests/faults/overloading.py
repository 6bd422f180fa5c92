"""What one account, and visitors of several addresses, can ask for at most, and what a visitor notices meanwhile.

The tests and `make bench OF=overload` send the same.
"""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from bench.watch import cpu, family
from engine.army_ants.ruleset import ARMY_ANTS
from tests.faults.site import Site, running
from tests.games.longest import longest

GAMES = [longest(ARMY_ANTS, seed).text() for seed in range(4)]
"""Games of 5,000 actions."""
_ADDRESSES, _STUDIES, _CHAPTERS = 6, 12, 4
"""So many chapters of the longest game are as much as a study may hold."""
WATCHED = ("/health", "/")
"""What a visitor asks for meanwhile."""
Request = partial[tuple[int, bytes]]


_VISITOR, _PATIENCE = "127.0.9.9", 1200
"""An address; seconds for which a client waits for its turn, on a machine as busy as may be."""


@dataclass
class Watch:
    """How long a visitor waits, and how much memory the web processes take."""

    site: Site
    waits: dict[str, list[float]] = field(default_factory=lambda: {path: [] for path in WATCHED})
    """Seconds of each answer by the clock."""
    computed: dict[str, list[float]] = field(default_factory=lambda: {path: [] for path in WATCHED})
    """Seconds for which the web processes computed, whatever it was, until each answer came.

    What a visitor waits for is computed in these processes, and so are the answers that a visitor waits behind: other
    programs, which make the clock's seconds more, do not change these.
    """
    memory: int = 0
    """Bytes of the web process that took most."""
    shared_out: int = 0
    """The same, with what processes share divided among them (PSS)."""
    _over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch as long as the context lasts."""
        for path in WATCHED:
            ask(self.site, "GET", path, address=_VISITOR)  # what is made once is not what others wait for
        work: list[Callable[[], None]] = [*(partial(self._wait, path) for path in WATCHED), self._weigh]
        threads = [threading.Thread(target=one) for one in work]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def _wait(self, path: str) -> None:
        while not self._over.wait(0.05):
            before, begin = cpu(_web(self.site)), time.monotonic()
            assert ask(self.site, "GET", path, address=_VISITOR)[0] == HTTPStatus.OK
            self.waits[path].append(time.monotonic() - begin)
            self.computed[path].append(cpu(_web(self.site)) - before)

    def _weigh(self) -> None:
        while not self._over.wait(0.05):
            self.memory = max([self.memory, *(_resident(pid) for pid in web_processes(self.site))])
            self.shared_out = max([self.shared_out, *(in_proportion(pid) for pid in web_processes(self.site))])


def web_processes(site: Site) -> list[int]:
    """Return the web server and all processes below it."""
    return list(family(_web(site)))


def _web(site: Site) -> int:
    web = site.services["web"].process
    assert web
    return web.pid


def _resident(pid: int) -> int:
    return _noted(Path(f"/proc/{pid}/status"), "VmRSS")


def in_proportion(pid: int) -> int:
    """Return the memory of a process in bytes, where a page that several processes share counts in parts (PSS)."""
    return _noted(Path(f"/proc/{pid}/smaps_rollup"), "Pss")


def _noted(path: Path, name: str) -> int:
    """Return the bytes that a file of the kernel notes in kB; 0 if the process is gone."""
    with suppress(OSError):
        lines = path.read_text().splitlines()
        return next((int(line.split()[1]) << 10 for line in lines if line.startswith(f"{name}:")), 0)
    return 0


def ask(
    site: Site, method: str, path: str, *, address: str, body: bytes | None = None, **headers: str
) -> tuple[int, bytes]:
    """Send a request from an address of this machine. :returns: the status and the body."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(HTTPConnection("127.0.0.1", site.port, timeout=_PATIENCE, source_address=(address, 0))) as connection:
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        return answer.status, answer.read()


def at_once(requests: Sequence[Request]) -> list[int]:
    """Send requests at the same time. :returns: their statuses; 0 for a connection that ended without an answer."""
    statuses: list[int] = []

    def send(request: Request) -> None:
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


@contextmanager
def site_with_the_longest_games(folder: Path) -> Iterator[Site]:
    """Yield a site with the limits that sites have, and one account's games of 5,000 actions."""
    with running(folder, lease=60, clocks_differ=False, limited=True) as site:
        site.token = f"Bearer {site.manage('make_token', 'alice').stdout.strip()}"
        _upload(site)
        yield site


def _upload(site: Site) -> None:
    file = "\n\n".join(GAMES).encode()
    status, _ = ask(site, "POST", "/api/v1/uploads", address="127.0.0.1", body=file, Authorization=site.token)
    assert status == HTTPStatus.ACCEPTED
    deadline = time.monotonic() + 60
    while len(games(site)) < len(GAMES):
        assert time.monotonic() < deadline, "the games are not verified"
        site.let_pass(1)


def games(site: Site) -> list[str]:
    """Return the keys of the public games."""
    return [one["key"] for one in _read(site, "/api/v1/games")["games"]]


def _read(site: Site, path: str) -> Any:
    return json.loads(ask(site, "GET", path, address="127.0.0.1")[1])


def _spread(requests: Iterable[Request]) -> list[int]:
    """Send requests at the same time, from a few addresses in turn."""
    return at_once([partial(one, address=f"127.0.1.{at % _ADDRESSES}") for at, one in enumerate(requests)])


def import_studies(site: Site, chapters: int = 64) -> list[int]:
    """Import studies of the longest game."""
    file = "\n\n".join([GAMES[0].strip()] * chapters).encode()
    send = partial(ask, site, "POST", body=file, Authorization=site.token, Content_Type="text/plain")
    return _spread(
        partial(send, f"/api/v1/studies/import?title=Study{number}&visibility=public") for number in range(_STUDIES)
    )


def read_studies(site: Site) -> list[int]:
    """Read the studies that were imported: their pages, their chapters, and files of them."""
    if not (found := _read(site, "/api/v1/studies")):
        import_studies(site, _CHAPTERS)
        found = _read(site, "/api/v1/studies")
    keys = [one["key"] for one in found]
    paths = ("/studies/{}/?node=4000", "/api/v1/studies/{}/chapters/1",
             "/api/v1/studies/{}/file?format=agn", "/api/v1/studies/{}/file?format=json")  # fmt: skip
    chosen = (paths[at % len(paths)].format(keys[at // len(paths) % len(keys)]) for at in range(96))
    return _spread(partial(ask, site, "GET", path) for path in chosen)


def read_nothing(site: Site) -> list[int]:
    """Ask for long answers, and do not read them."""
    key, *_ = games(site)
    paths = (f"/games/{key}/print/", "/api/v1/games/export?format=annotated", f"/api/v1/games/{key}/frames")
    with ExitStack() as opened:
        for number in range(60):
            at = f"127.0.2.{number % _ADDRESSES}"
            one = socket.create_connection(("127.0.0.1", site.port), source_address=(at, 0))
            opened.callback(one.close)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.sendall(f"GET {paths[number % 3]} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        site.let_pass(5)
    return []


_PARTS = (
    "/games/{}/", "/games/{}/print/", "/api/v1/games/{}/position?ply=4000", "/api/v1/games/{}/states",
    "/api/v1/games/{}/frames", "/api/v1/games/{}/story", "/api/v1/games/{}/picture?format=png",
    "/api/v1/games/export?format=annotated", "/api/v1/openings/army-ants",
)  # fmt: skip


def read_and_draft(site: Site) -> list[int]:
    """Read all that grows with a game, and send drafts as long as it, as the score sheet and What if do."""
    keys = games(site)
    reads = (
        partial(ask, site, "GET", _PARTS[at % len(_PARTS)].format(keys[at // len(_PARTS) % len(keys)]))
        for at in range(90)
    )
    drafts = ({"text": GAMES[at % len(GAMES)], "ply": 4000 + at, "cut": bool(at % 3)} for at in range(30))
    send = partial(ask, site, "POST", "/api/v1/positions", Content_Type="application/json")
    return _spread([*reads, *(partial(send, body=json.dumps(draft).encode()) for draft in drafts)])


def read_frames(site: Site) -> list[int]:
    """Read more frames of the games than a process keeps."""
    paths = (f"/api/v1/games/{key}/frames?start={start}" for key in games(site) for start in range(0, 4900, 80))
    return _spread(partial(ask, site, "GET", path) for path in paths)


def export_accounts(site: Site) -> list[int]:
    """Export all that is stored about an account, again and again."""
    if not _read(site, "/api/v1/studies"):
        import_studies(site, _CHAPTERS)
    cookie = site.manage("shell", "--verbosity=0", "--command", _SIGN_IN).stdout.strip()
    return _spread(partial(ask, site, "GET", "/account/export/", Cookie=cookie) for _ in range(20))


_SIGN_IN = """
import time
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
user = User.objects.get(username="alice")
session = SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "username": "alice"}]
session.save()
print(f"{settings.SESSION_COOKIE_NAME}={session.session_key}")
"""


LOADS: dict[str, tuple[Callable[[Site], list[int]], frozenset[int]]] = {
    "imports of 64 chapters": (import_studies, frozenset({413, 429, 503})),
    "imports of 4 chapters": (partial(import_studies, chapters=_CHAPTERS), frozenset({201, 413, 429, 503})),
    "readers of studies": (read_studies, frozenset({200, 429, 503})),
    "readers of frames": (read_frames, frozenset({200, 429, 503})),
    "exports of an account": (export_accounts, frozenset({200, 303, 429, 503})),
    "readers who do not read": (read_nothing, frozenset()),
    "reads and drafts": (read_and_draft, frozenset({200, 429, 503})),
}
"""By name: what is sent, which returns the statuses of the answers, and those that are as they should be."""
