"""Runs an empty site for benchmarks, on servers that write through to the disk; it is removed afterwards.

It has the parts of `make run` that uploads pass: two worker processes, one for small uploads, beat, the web server.
Their logs are kept in a folder, so that a failure can be investigated.
"""

import os
import secrets
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from time import monotonic, sleep
from typing import NamedTuple

from atta_site import embedded, processes
from bench.played import KEPT

WORKERS = 2
LOGS = KEPT / "logs"
_PATIENCE = 60.0
_ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_PLACE = "127.0.0.1"


class Site(NamedTuple):
    """A running site: its processes, and the process id of the database."""

    address: str
    worker: "Popen[bytes]"
    web: "Popen[bytes]"
    postmaster: int

    def check(self) -> None:
        """Check that every part runs. :raises SystemExit: naming the log to read."""
        for name, process in (("worker", self.worker), ("web server", self.web)):
            if process.poll() is not None:
                raise SystemExit(f"the {name} died: {LOGS}")

    def pause(self, seconds: float = 0.02) -> None:
        """Wait a moment, and check that every part runs."""
        self.check()
        sleep(seconds)


@contextmanager
def database() -> Iterator[int]:
    """Run a site without processes of its own; yield the process id of the database."""
    with (
        _ended_in_order(),
        tempfile.TemporaryDirectory(prefix="atta-bench-", ignore_cleanup_errors=True) as folder,
        embedded.servers(Path(folder)) as pair,
    ):
        pair.start()
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "atta_site.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": f"localhost,{_PLACE}",
            "PLAIN_HTTP": "1",
            "DATABASE_URL": pair.postgres.url,
            "CELERY_BROKER_URL": pair.valkey.url,
            "STATIC_ROOT": f"{folder}/static",
            "DUMPS_DIR": f"{folder}/dumps",
            "SPOOL_DIR": f"{folder}/spool",
            "LOG_LEVEL": "WARNING",
        }
        _prepare()
        try:
            yield int((pair.postgres.data / "postmaster.pid").read_text().split()[0])
        finally:
            _let_nothing_hurry_us()


def _prepare() -> None:
    import django  # noqa: PLC0415 (the environment comes first)
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("prepare", verbosity=0)


@contextmanager
def site() -> Iterator[Site]:
    """Run the whole site."""
    with database() as postmaster, served(postmaster, WORKERS) as running:
        yield running


@contextmanager
def served(postmaster: int, workers: int) -> Iterator[Site]:
    """Run the processes of a site with so many worker processes, on the database that runs."""
    with tempfile.TemporaryDirectory(prefix="atta-beat-") as folder:
        port = processes.free_port()
        worker = processes.worker("bench", concurrency=workers)
        small = processes.worker("small", concurrency=1, queue="small")
        web = processes.web(_PLACE, port, workers=WORKERS)
        beat = processes.beat(Path(folder))
        with part("worker", worker) as first, part("small", small), part("beat", beat), part("web", web) as last:
            running = Site(f"http://{_PLACE}:{port}", first, last, postmaster)
            _await(running)
            yield running


@contextmanager
def part(name: str, command: list[str]) -> Iterator["Popen[bytes]"]:
    """Run a part of the site; what it says is kept in a folder."""
    LOGS.mkdir(parents=True, exist_ok=True)
    with processes.fresh_log(LOGS / f"{name}.log").open("wb") as log:
        process = processes.spawn(command, log.fileno(), env=os.environ | {"LOG_LEVEL": "INFO"})
        try:
            yield process
        finally:
            processes.end(process)


def _await(running: Site) -> None:
    """Wait until the site answers and has a worker."""
    until = monotonic() + _PATIENCE
    while not (processes.is_healthy(running.address) and has_worker()):
        if monotonic() > until:
            raise SystemExit(f"the site does not answer: {LOGS}")
        running.pause(0.2)


def has_worker() -> bool:
    """Return whether the part `worker` takes tasks."""
    return b" ready" in (LOGS / "worker.log").read_bytes()


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C: stop the servers and remove the folders."""

    def stop(*_: object) -> None:
        _let_nothing_hurry_us()
        raise KeyboardInterrupt

    before = [signal.signal(number, stop) for number in _ENDS]
    try:
        yield
    finally:
        for number, handler in zip(_ENDS, before, strict=True):
            signal.signal(number, handler)


def _let_nothing_hurry_us() -> None:
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)
