"""How the site's processes are started and ended, and the command line of each."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
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
    """Start a process in a session of its own: Ctrl-C reaches only us then, and we end all in order.

    When we are killed, the kernel sends it `tied` (Linux only; it holds for the thread that started the process).
    `prefix` is what changes the user, and so must come before the tie, which a change of user undoes.
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


def end(process: subprocess.Popen[bytes], ask: signal.Signals = signal.SIGTERM, *, patience: float = 10) -> None:
    """Ask the process to end; after `patience` seconds, kill it with all of its session."""
    process.send_signal(ask)
    try:
        process.wait(timeout=patience)
    except subprocess.TimeoutExpired:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process with its whole session, as a machine that runs out of memory does."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def fresh_log(path: Path) -> Path:
    """Return the path with nothing there; what an earlier run wrote is kept as one older file."""
    if path.exists():
        path.replace(path.with_suffix(".log.1"))
    return path


def web(host: str, port: int, *, workers: int) -> list[str]:
    """Return the command of the web server: it takes in and sends without a thread, and Django answers in threads.

    Without HTTP/2, since one connection would have hundreds of requests; a front server speaks it with browsers.
    """
    return [
        *(sys.executable, "-m", "granian", "--interface", "asginl", "--no-ws", "--http", "1"),
        *("--host", host, "--port", str(port), "--workers", str(workers)),
        # Connections, of all processes and of one: it accepts none while it has so many, were they idle.
        *("--backlog", "4096", "--backpressure", "8192"),
        # Longer headers are refused before we see them. The same time closes idle connections.
        *("--http1-buffer-size", str(64 * 1024), "--http1-header-read-timeout", "10000"),
        # Ending waits for requests in progress, but not longer than `end` allows.
        *("--workers-kill-timeout", "8"),
        *("--respawn-failed-workers", "--log-level", "warning"),
        "atta_site.asgi:application",
    ]


def live(host: str, port: int, *, workers: int = 1) -> list[str]:
    """Return the command of the live server, which holds event streams open; the web server sends readers on to it."""
    return [
        *(sys.executable, "-m", "granian", "--interface", "asgi", "--no-ws", "--http", "1"),
        *("--host", host, "--port", str(port), "--workers", str(workers)),
        *("--backlog", "4096", "--backpressure", "8192"),
        *("--http1-buffer-size", str(64 * 1024), "--http1-header-read-timeout", "10000"),
        # Readers resume a stream elsewhere, so nobody waits for its end.
        *("--workers-kill-timeout", "2"),
        *("--respawn-failed-workers", "--log-level", "warning"),
        "atta_site.live.asgi:application",
    ]


def worker(name: str, *, concurrency: int, queue: str = "atta") -> list[str]:
    """Return the command of a worker. Workers need not know of each other: the database decides who does what.

    :param queue: from which it takes its tasks: `atta`, or `bots` with what built-in bots do.
    """
    return [
        *(sys.executable, "-m", "celery", "--app", "atta_site", "--quiet", "worker"),
        *("--hostname", f"{name}@%h", "--concurrency", str(concurrency), "--loglevel", "INFO"),
        *("--without-gossip", "--without-mingle", "--queues", queue),
    ]


def beat(folder: Path) -> list[str]:
    """Return the command of the clock that rings for the sweep; it keeps its notes in `folder`."""
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
