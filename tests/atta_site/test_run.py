"""`make run` starts everything, keeps it running and leaves only its data behind."""

import os
import shlex
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest

from atta_site import embedded, processes, run, supervision
from atta_site.serve import KINDS
from tests import migrated
from tests.tiers import LONG

ROOT = Path(__file__).resolve().parents[2]
TAKEN = ("DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY", "VAPID_KEY", "ALLOWED_HOSTS", "PLAIN_HTTP")

Start = Callable[..., supervision.Service]


class Site:
    """A running `make run` with its own folder."""

    def __init__(self, var: Path, port: int) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in TAKEN}
        environment |= {"PORT": str(port), "BOT_EXHIBITIONS": "0"}
        self.address = f"http://localhost:{port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "atta_site.run", str(var)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""

    def until_said(self, words: str) -> str:
        """Return the line with these words once it appears."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if words in line:
                return line
        pytest.fail(f"it ended without saying {words!r}:\n{self.said}")


@contextmanager
def site(var: Path, port: int) -> Iterator[Site]:
    running = Site(var, port)
    with running.process:
        try:
            yield running
        finally:
            running.process.terminate()
            running.process.wait(timeout=30)


SLOW = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Slow(BaseHTTPRequestHandler):
    asked = 0

    def do_GET(self):
        Slow.asked += 1
        self.send_response(200 if Slow.asked > 3 else 503)
        self.end_headers()

HTTPServer(("127.0.0.1", int(sys.argv[1])), Slow).serve_forever()
"""
"""A web server that is healthy only when it is asked for the fourth time."""


@pytest.fixture
def port() -> int:
    return processes.free_port()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a part of a site, a program of Python."""
    with ExitStack() as opened:

        def start(program: str, *arguments: str) -> supervision.Service:
            command = [sys.executable, "-c", program, *arguments]
            part = supervision.Service("web", command, tmp_path / "web.log", os.environ)
            part.start()
            opened.callback(part.stop)
            return part

        yield start


def children(process: int) -> dict[str, int]:
    """Return the process's children by the names that the system shows."""
    numbers = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return {Path(f"/proc/{number}/comm").read_text().strip(): int(number) for number in numbers}


def settings_of(var: Path) -> dict[str, str]:
    """Return the settings that a running site has stored for other commands."""
    pairs = [line.split("=", 1) for line in (var / "environment").read_text().splitlines()]
    return {name: shlex.split(value)[0] for name, value in pairs}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with the database of an earlier run; in the long tier an empty one, where all begins."""
    if not LONG:
        home = tmp_path / "servers" / "postgres"
        migrated.share_password(home)
        migrated.lay_down(embedded.Postgres(home, tmp_path / "made.log", durable=True))
    return tmp_path


@pytest.mark.full
def test_make_run_starts_restarts_dead_parts_and_leaves_only_data(data: Path, port: int) -> None:
    with site(data, port) as running:
        assert running.address in running.until_said("  http://")
        with urlopen(f"{running.address}/health") as answer:
            assert answer.status == 200
        for name in ("environment", "secret-key", "vapid-key"):
            assert stat.S_IMODE((data / name).stat().st_mode) == 0o600

        running.until_said("sample games")
        parts = children(running.process.pid)
        assert set(parts) == {*KINDS, "postgres", "valkey-server"}
        os.kill(parts["worker"], signal.SIGKILL)
        running.until_said("worker ended unasked; it starts again in 1 s")
        running.until_said("worker runs again")

        running.process.terminate()
        running.until_said("Stopped.")
        assert running.process.wait() == 0
    assert not (data / "environment").exists()
    assert [number for number in parts.values() if Path(f"/proc/{number}").exists()] == []


@pytest.mark.full
def test_a_second_start_keeps_the_data(data: Path, port: int) -> None:
    with site(data, port) as running:
        running.until_said("  http://")
        with psycopg.connect(settings_of(data)["DATABASE_URL"]) as connection:
            connection.execute("CREATE TABLE kept (id int)")
    with site(data, port) as running:
        running.until_said("  http://")
        with psycopg.connect(settings_of(data)["DATABASE_URL"]) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)


def test_a_site_that_starts_slowly_is_awaited(
    start: Start, port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "PATIENCE", 0.0)
    run._await_health(f"http://127.0.0.1:{port}", [start(SLOW, str(port))])
    assert f"http://127.0.0.1:{port}/health does not say yet that all is well" in capsys.readouterr().out


def test_part_that_ends_while_the_site_starts_is_named(start: Start, port: int) -> None:
    with pytest.raises(run.CannotRunError, match="web does not run:\n    no leaf"):
        run._await_health(f"http://127.0.0.1:{port}", [start("raise SystemExit('no leaf')")])


def test_port_in_use_is_reported_with_an_alternative(tmp_path: Path, port: int) -> None:
    with socket.create_server(("127.0.0.1", port)), site(tmp_path, port) as running:
        said = running.until_said(str(port))
        assert f"127.0.0.1:{port} cannot be had (Address already in use). Another one: make run PORT={port + 1}" in said
        assert running.process.wait() == 1


@pytest.mark.full
def test_a_folder_that_is_in_use_is_refused(tmp_path: Path, port: int) -> None:
    with embedded.only_us(tmp_path / "lock"), site(tmp_path, port) as running:
        running.until_said(f"is in use by process {os.getpid()}; stop it first")
        assert running.process.wait() == 1


def test_dotenv_sets_what_the_environment_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("# a comment\n\nPORT=8001\nLOG_LEVEL='DEBUG'\nHOST=\n")
    monkeypatch.setenv("PORT", "9000")
    monkeypatch.delenv("LOG_LEVEL", raising=False)
    monkeypatch.delenv("HOST", raising=False)
    assert run.read_dotenv(tmp_path / ".env") == {"LOG_LEVEL": "DEBUG", "HOST": ""}


def test_invalid_dotenv_line_is_quoted(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("PORT 8001\n")
    with pytest.raises(run.CannotRunError, match=r"\.env: expected NAME=value, got 'PORT 8001'"):
        run.read_dotenv(tmp_path / ".env")
