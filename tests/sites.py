"""Separate sites for tests that break one: its database, its folder or its connection."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from atta_site import embedded, processes, redo
from tests import chance, migrated

PATIENCE = 120.0
"""Seconds for which a server may start or answer, on a machine that has much else to do as well."""
UNLIMITED = {
    f"THROTTLE_{name}": "1000000/minute"
    for name in ("ANON", "USER", "UPLOAD", "EXPORT", "BOARD", "PICTURE", "TABLE", "WORK")
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A response of a site, and the seconds it took."""

    status: int
    headers: Message
    body: bytes
    seconds: float


class _Stay(HTTPRedirectHandler):
    """A handler that returns redirects as responses instead of following them."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER = build_opener(_Stay)


@dataclass(frozen=True, slots=True)
class Web:
    """A web server of one process."""

    address: str
    log: Path

    def ask(self, path: str, *, data: bytes | None = None, method: str = "", **named: str) -> Answer:
        """Send a request and accept any response."""
        headers = {name.replace("_", "-"): value for name, value in named.items()}
        request = Request(f"{self.address}{path}", data, headers, method=method or None)
        begin = time.monotonic()
        try:
            with _OPENER.open(request, timeout=PATIENCE) as answer:
                return Answer(answer.status, answer.headers, answer.read(), time.monotonic() - begin)
        except HTTPError as answer:
            return Answer(answer.code, answer.headers, answer.read(), time.monotonic() - begin)


@dataclass
class OwnDatabase:
    """A separate PostgreSQL with Atta's tables that can be stopped and frozen."""

    postgres: embedded.Postgres
    environment: dict[str, str] = field(default_factory=dict)

    def manage(self, *arguments: str) -> str:
        """Run a command of `manage.py` on it."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, env=self.environment, cwd=processes.ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Freeze all its processes for a while: it neither answers nor rejects."""
        inside = redo.left_behind(self.postgres.data)
        send(signal.SIGSTOP, inside)
        try:
            yield
        finally:
            send(signal.SIGCONT, inside)


def send(what: signal.Signals, numbers: Iterable[int]) -> None:
    """Send a signal to those of some processes that still run: one of them may have been about to end."""
    for number in numbers:
        with suppress(ProcessLookupError):
            os.kill(number, what)


@contextmanager
def own_database(folder: Path) -> Iterator[OwnDatabase]:
    """Yield a separate database."""
    migrated.share_password(folder / "postgres")
    postgres = embedded.Postgres(folder / "postgres", folder / "postgres.log", durable=False)
    migrated.lay_down(postgres)
    postgres.start()
    own = {"DATABASE_URL": postgres.url, "DUMPS_DIR": str(folder / "dumps")}
    database = OwnDatabase(postgres, os.environ | UNLIMITED | own)
    try:
        database.manage("prepare", "--verbosity=0")
        yield database
    finally:
        postgres.stop()


@contextmanager
def web(folder: Path, environment: Mapping[str, str]) -> Iterator[Web]:
    """Yield a running web server that logs to a file in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    port, log = processes.free_port(), folder / "web.log"
    site = Web(f"http://127.0.0.1:{port}", log)
    with ExitStack() as opened:
        output = opened.enter_context(log.open("ab"))
        command, dealing = processes.web("127.0.0.1", port, workers=1), {**environment, **chance.drawing()}
        process = processes.spawn(command, output.fileno(), env=dealing)
        opened.callback(processes.kill, process)
        until_it_answers(site, process)
        yield site


def until_it_answers(site: Web, process: "subprocess.Popen[bytes]") -> None:
    """Wait for a web server's first response."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            site.ask("/health/live")
        except OSError:
            assert process.poll() is None, site.log.read_text()[-4000:]
            assert time.monotonic() < deadline, site.log.read_text()[-4000:]
            time.sleep(0.1)
        else:
            return
