"""How the site's processes are started and ended, and the command line of each."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent


def spawn(
    command: Sequence[str],
    output: int,
    *,
    tied: signal.Signals = signal.SIGTERM,
    prefix: Sequence[str] = (),
    stdin: int = subprocess.DEVNULL,
    env: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a process in its own session, so that Ctrl-C reaches only this one, which then ends all in order.

    If this process is killed, the kernel sends it the signal `tied` (Linux only; bound to the thread that started the
    process). `prefix` changes the user, and must come before the tie, because changing the user removes the tie.
    """
    setpriv = shutil.which("setpriv")
    tie = [setpriv, "--pdeathsig", tied.name.removeprefix("SIG")] if setpriv else []
    return subprocess.Popen(
        [*prefix, *tie, *command],
        stdin=stdin,
        stdout=output,
        stderr=output,
        env=env,
        cwd=ROOT,
        start_new_session=True,
    )


class Process(Protocol):
    """A process that this one started, whichever way."""

    @property
    def pid(self) -> int:
        """Its number."""

    def poll(self) -> int | None:
        """Return its exit status, if it has ended."""

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status once it has ended."""

    def send_signal(self, sig: int) -> None:
        """Send it a signal, unless it has ended."""


def end(process: Process, ask: signal.Signals = signal.SIGTERM, *, patience: float = 10) -> None:
    """Ask the process to end; after `patience` seconds, kill it with all of its session."""
    process.send_signal(ask)
    try:
        process.wait(timeout=patience)
    except subprocess.TimeoutExpired:
        kill(process)


def end_together(running: Sequence[Process], *, patience: float) -> None:
    """Ask all of some processes to end; after `patience` seconds at most, kill what is left of their sessions."""
    asked = [process for process in running if process.poll() is None]  # others' numbers may be somebody else's by now
    for process in asked:
        process.send_signal(signal.SIGTERM)
    until = time.monotonic() + patience
    for process in asked:
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=max(0.0, until - time.monotonic()))
        kill(process)


def kill(process: Process) -> None:
    """Kill the process with its whole session, as a machine that runs out of memory does."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def fresh_log(path: Path) -> Path:
    """Return the path of a new log; the log of the run before is kept as one older file."""
    if path.exists():
        path.replace(path.with_suffix(".log.1"))
    return path


def web(host: str, port: int, *, workers: int, memory: int = 0) -> list[str]:
    """Return the command of the web server, which loads `atta_site.asgi`.

    Without HTTP/2, because one connection would carry hundreds of requests; a proxy can offer HTTP/2 to browsers.

    :param memory: MiB above which a process is replaced; 0: never.
    """
    return [
        *(sys.executable, "-m", "granian", "--interface", "asgi", "--no-ws", "--http", "1"),
        *("--host", host, "--port", str(port), "--workers", str(workers)),
        # Connections of all processes and of one: at the limit it accepts no more, even if all are idle.
        *("--backlog", "4096", "--backpressure", "8192"),
        # Longer headers are refused by the server itself. The same timeout closes idle connections.
        *("--http1-buffer-size", str(64 * 1024), "--http1-header-read-timeout", "10000"),
        # Ending waits for requests in progress, but not longer than `end` allows.
        *("--workers-kill-timeout", "8"),
        *("--respawn-failed-workers", "--log-level", "warning"),
        *_replaced_above(memory),
        "atta_site.asgi:application",
    ]


def _replaced_above(memory: int) -> tuple[str, ...]:
    """Return the options by which a server replaces a process with more memory, ten seconds after starting another.

    By then the successor listens: with less time between them, a site whose processes are all replaced refuses readers.
    """
    if not memory:
        return ()
    sampled = ("--rss-sample-interval", "10", "--rss-samples", "2")
    return ("--workers-max-rss", str(memory), *sampled, "--respawn-interval", "10")


def worker(name: str, *, concurrency: int, queue: str = "atta") -> list[str]:
    """Return the command of a worker.

    Workers are independent of each other: the database decides who does what.

    :param queue: the queue of its tasks: `atta`, `small` for small uploads, `bots` for the built-in bots, or `films`.
    """
    return [
        *(sys.executable, "-m", "celery", "--app", "atta_site", "--quiet", "worker"),
        *("--hostname", f"{name}@%h", "--concurrency", str(concurrency), "--loglevel", "INFO"),
        *("--without-gossip", "--without-mingle", "--queues", queue),
    ]


def beat(folder: Path) -> list[str]:
    """Return the command of beat, which starts the sweep; it keeps its schedule in `folder`."""
    return [
        *(sys.executable, "-m", "celery", "--app", "atta_site", "--quiet", "beat"),
        *("--schedule", str(folder / "beat"), "--pidfile", "", "--loglevel", "INFO"),
    ]


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_healthy(address: str) -> bool:
    """Return whether this site answers there and is healthy."""
    try:
        with urlopen(f"{address}/health", timeout=5) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)  # noqa: PLR2004
    except OSError:
        return False
