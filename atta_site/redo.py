"""Recovery of a killed PostgreSQL at its next start: progress, and processes that still run."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

TELL_EVERY = 5.0
PATIENCE = 10.0
_STATUS = 7
"""The line of `postmaster.pid` on which the server says what it is doing, counted from 0; `pg_ctl` waits by it, too."""
_SEGMENT = 16 * 2**20
_MIB = 2**20
_BEGIN = re.compile(r"LOG: +redo starts at ([0-9A-F]+)/([0-9A-F]+)$", re.MULTILINE)
_REACHED = re.compile(r"LOG: +redo in progress, .*current LSN: ([0-9A-F]+)/([0-9A-F]+)$", re.MULTILINE)


def status(data: Path) -> str:
    """Return what the server of the folder `data` says that it is doing, as `starting` or `ready`; "" if nothing."""
    with suppress(OSError, IndexError):
        return (data / "postmaster.pid").read_text().splitlines()[_STATUS].strip()
    return ""


class Recovery:
    """One start of a server, and how far it has come with what it has to do again."""

    def __init__(self, data: Path, log: Path, say: Callable[[str], object]) -> None:
        """Read what the server writes to `log` from now on; `say` shows a line to the person in front."""
        self._data, self._log, self._say = data, log, say
        self._from = log.stat().st_size if log.exists() else 0
        self._began = time.monotonic()
        self._times_shown = 0

    def is_under_way(self) -> bool:
        """Say whether the server is still starting, however long that takes; tell now and then how far it is."""
        if status(self._data) != "starting":
            return False
        elapsed = time.monotonic() - self._began
        if elapsed > (self._times_shown + 1) * TELL_EVERY:
            self._times_shown += 1
            self._say(f"  PostgreSQL restores changes after a crash: {self.reached()}{elapsed:.0f} s")
        return True

    def reached(self) -> str:
        """Return how much was done again, and of about how much; "" as long as the server does not say."""
        said = self._log.read_bytes()[self._from :].decode(errors="replace")
        begin, reached = _BEGIN.search(said), _REACHED.findall(said)
        if begin is None or not reached:
            return ""
        first, last = _bytes(*begin.groups()), _bytes(*reached[-1])
        whole = max(last, _end(self._data)) - first
        return f"{(last - first) // _MIB} of about {whole // _MIB} MiB, "


def _bytes(high: str, low: str) -> int:
    """Return a place in PostgreSQL's log of changes, which is written in two halves."""
    return int(high, 16) << 32 | int(low, 16)


def _end(data: Path) -> int:
    """Return where the log of changes ends, up to a segment: the last one written, for later ones are only names."""
    segments = [path for path in (data / "pg_wal").iterdir() if re.fullmatch(r"[0-9A-F]{24}", path.name)]
    newest = max(segments, key=lambda path: path.stat().st_mtime_ns).name
    return _bytes(newest[8:16], "0") + (int(newest[16:], 16) + 1) * _SEGMENT


def end_left_behind(data: Path) -> bool:
    """Kill what a killed server of the folder `data` left there; return whether all of it is gone.

    No server can start beside these. They end by themselves only when they look for the one that they belonged to,
    which a busy one does late and a frozen one never.
    """
    deadline = time.monotonic() + PATIENCE
    while (left := left_behind(data)) and time.monotonic() < deadline:
        for number in left:
            with suppress(OSError):  # it ended meanwhile
                os.kill(number, signal.SIGKILL)
        time.sleep(0.02)
    return not left


def left_behind(data: Path) -> list[int]:
    """Return the processes of PostgreSQL in the folder; another program there is somebody looking around."""
    return [number for number in processes_in(data) if _name(number) == "postgres"]


def _name(number: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{number}/comm").read_text().strip()
    return ""


def processes_in(folder: Path) -> Iterator[int]:
    """Yield the processes whose working folder is `folder`, as PostgreSQL's all do (Linux)."""
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it ended meanwhile, or is another user's
            if link.readlink() == folder:
                yield int(link.parent.name)
