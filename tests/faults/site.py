"""A whole site with servers of its own: PostgreSQL, broker, web, two workers and beat, restarted when they die."""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from atta_site import embedded, processes, redo
from atta_site.supervision import Service
from tests import migrated
from tests.faults.database import Database
from tests.faults.plan import Broker
from tests.faults.rabbitmq import RabbitMQ

PATIENCE = 600.0
"""Seconds, of which none is waited once a condition holds: beside many programs a site needs minutes to start."""
CLUB = "nest"
LIBFAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
_RATES = ("ANON", "USER", "UPLOAD", "EXPORT", "CLUB", "WORK")
_RESTART = 0.5
"""Seconds after which a dead process is started again, as systemd does."""


@dataclass
class Site:
    """The processes of one site. All of them are started by the thread that made it, and end with it."""

    folder: Path
    postgres: Database
    broker: embedded.Server
    environment: Mapping[str, str]
    port: int
    services: dict[str, Service]
    disks: dict[str, Path]
    """File systems of their own, by what is on them."""
    token: str = ""
    restarts: dict[str, int] = field(default_factory=dict)
    _dead_since: dict[str, float] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Return where the site answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def lease(self) -> int:
        """Return the seconds after which a record is taken from a worker that does not finish it."""
        return int(self.environment["VERIFICATION_LEASE"])

    def worker(self, number: int) -> Service:
        """Return one of the two workers."""
        return self.services[("worker one", "worker two")[number]]

    def start(self) -> None:
        """Start everything that does not run."""
        for server in (self.postgres, self.broker):
            if not server.is_alive():
                server.start()
        for service in self.services.values():
            if not service.is_alive():
                service.start()

    def let_pass(self, seconds: float, *, restart: bool = True) -> None:
        """Wait, and meanwhile start again what died."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if restart:
                self.restart_dead()
            time.sleep(min(left, 0.1))

    def restart_dead(self) -> None:
        """Start again what died a while ago."""
        now = time.monotonic()
        parts: dict[str, embedded.Server | Service] = {
            "PostgreSQL": self.postgres,
            "broker": self.broker,
            **self.services,
        }
        for name, part in parts.items():
            if part.is_alive():
                self._dead_since.pop(name, None)
            elif now - self._dead_since.setdefault(name, now) >= _RESTART:
                self.restarts[name] = self.restarts.get(name, 0) + 1
                del self._dead_since[name]
                with suppress(embedded.EmbeddedError):  # it is tried again
                    part.start()

    def until_it_answers(self) -> None:
        """Wait for the site, and meanwhile start again what died. :raises RuntimeError: when it does not come back."""
        deadline = time.monotonic() + PATIENCE
        while not processes.is_healthy(self.address):
            if time.monotonic() > deadline:
                raise RuntimeError(self.services["web"].log.read_text()[-4000:])
            self.let_pass(0.1)

    def manage(self, *arguments: str, patience: float = 600) -> subprocess.CompletedProcess[str]:
        """Run a command of `manage.py` on this site."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, env=self.environment, cwd=processes.ROOT, capture_output=True, text=True, check=False,
            timeout=patience,
        )  # fmt: skip

    def freeze(self, numbers: list[int]) -> None:
        """Stop processes without ending them."""
        _signal(numbers, signal.SIGSTOP)

    def thaw(self, numbers: list[int]) -> None:
        """Let stopped processes go on."""
        _signal(numbers, signal.SIGCONT)

    def postgres_processes(self) -> list[int]:
        """Return the numbers of all of PostgreSQL's processes."""
        return redo.left_behind(self.postgres.data)

    def stop(self) -> None:
        """End everything."""
        self.thaw(self.postgres_processes())
        for service in self.services.values():
            if service.process:
                processes.kill(service.process)
        if self.broker.process:
            self.thaw([self.broker.process.pid])
        self.broker.stop()
        self.postgres.stop()


@contextmanager
def running(
    folder: Path,
    *,
    lease: int,
    clocks_differ: bool,
    broker: Broker = Broker.VALKEY,
    changes: int = 0,
    limited: bool = False,
) -> Iterator[Site]:
    """Yield a running site with its data in a folder.

    :param clocks_differ: whether the clock of the second worker is an hour fast, where that can be done.
    :param limited: whether requests are limited as usual; elsewhere nearly all get through.
    :param changes: MiB of changes for which there must be room beside what PostgreSQL needs as a rule.
    """
    sizes = {"database": _DATABASE + 2 * changes, "spool": _LARGE_SPOOL if limited else _SPOOL}
    with ExitStack() as opened:
        folder.mkdir(parents=True)
        disks = {name: opened.enter_context(_disk(folder / name, size)) for name, size in sizes.items()}
        site = _site(
            folder, {name: disk for name, disk in disks.items() if disk}, lease, clocks_differ, broker, limited
        )
        opened.callback(site.stop)
        site.start()
        site.until_it_answers()
        yield site


_SPOOL, _LARGE_SPOOL, _DATABASE = 16, 512, 2048
"""MiB of their disks: of one for requests and answers that wait, one that has room for all that the limits allow, and
the database's, on which PostgreSQL keeps up to 1 GB of changes beside the tables."""


@contextmanager
def _disk(folder: Path, size: int) -> Iterator[Path | None]:
    """Yield a file system of its own of so many MiB; None where it may not be mounted."""
    folder.mkdir(mode=0o777)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=0777", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        yield None
        return
    for parent in folder.parents[:3]:
        parent.chmod(parent.stat().st_mode | 0o111)  # PostgreSQL runs as another user
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _site(folder: Path, disks: dict[str, Path], lease: int, clocks_differ: bool, kind: Broker, limited: bool) -> Site:
    home = folder / "database" / "postgres"
    migrated.share_password(home)
    postgres = Database(home, folder / "postgres.log", durable=True)
    migrated.lay_down(postgres)
    postgres.settle()
    broker = _broker(kind, folder)
    environment = environment_of(folder, postgres.url, broker.url, lease, limited=limited)
    port = processes.free_port()
    fast = an_hour_fast() if clocks_differ else {}
    commands = {
        "web": (processes.web("127.0.0.1", port, workers=1), environment),
        "worker one": (processes.worker("one", concurrency=2), environment),
        "worker two": (processes.worker("two", concurrency=2), environment | fast),
        "beat": (processes.beat(folder), environment),
    }
    services = {
        name: Service(name, command, folder / f"{name}.log", given) for name, (command, given) in commands.items()
    }
    return Site(folder, postgres, broker, environment, port, services, disks)


def _broker(kind: Broker, folder: Path) -> embedded.Server:
    home, log = folder / "broker", folder / "broker.log"
    return RabbitMQ(home, log) if kind is Broker.RABBITMQ else embedded.Valkey(home, log, durable=False)


def environment_of(folder: Path, database: str, broker: str, lease: int, *, limited: bool = False) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "STATIC_ROOT") if name in os.environ}
    rates = {} if limited else {f"THROTTLE_{name}": "1000000/minute" for name in _RATES}
    return kept | rates | {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
        "PLAIN_HTTP": "1",
        "DATABASE_URL": database,
        "CELERY_BROKER_URL": broker,
        "DUMPS_DIR": str(folder / "dumps"),
        "SPOOL_DIR": str(folder / "spool"),
        "EMAIL_URL": (folder / "mail").as_uri(),
        "LOG_FORMAT": "json",
        "SWEEP_EVERY": "1",
        "VERIFICATION_LEASE": str(lease),
        "UPLOAD_MAX_OPEN": "1000",
    }  # fmt: skip


def an_hour_fast() -> dict[str, str]:
    """Return the variables that make a process' clock an hour fast; none without libfaketime."""
    if not LIBFAKETIME:
        return {}
    sleeping = str(Path(__file__).parent / "fast_clock")
    faked = {"LD_PRELOAD": str(LIBFAKETIME), "FAKETIME": "+1h", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    return faked | {"PYTHONPATH": sleeping}


def _signal(numbers: list[int], what: signal.Signals) -> None:
    for number in numbers:
        with suppress(ProcessLookupError):
            os.kill(number, what)
