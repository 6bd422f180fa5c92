"""Recovery of a killed PostgreSQL at its next start: its progress, and left-over processes."""

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
    """Return the state that the server of the folder `data` reports, such as `starting` or `ready`; "" if none."""
    with suppress(OSError, IndexError):
        return (data / "postmaster.pid").read_text().splitlines()[_STATUS].strip()
    return ""


class Recovery:
    """One start of a server, and its progress in redoing changes."""

    def __init__(self, data: Path, log: Path, say: Callable[[str], object]) -> None:
        """Read what the server writes to `log` from now on; `say` shows a line to the person in front."""
        self._data, self._log, self._say = data, log, say
        self._from = log.stat().st_size if log.exists() else 0
        self._began = time.monotonic()
        self._times_shown = 0

    def is_under_way(self) -> bool:
        """Return whether the server is still starting, however long that takes; print its progress now and then."""
        if status(self._data) != "starting":
            return False
        elapsed = time.monotonic() - self._began
        if elapsed > (self._times_shown + 1) * TELL_EVERY:
            self._times_shown += 1
            self._say(f"  PostgreSQL restores changes after a crash: {self.reached()}{elapsed:.0f} s")
        return True

    def reached(self) -> str:
        """Return how much was redone, and of about how much; "" as long as the server does not report it."""
        said = self._log.read_bytes()[self._from :].decode(errors="replace")
        begin, reached = _BEGIN.search(said), _REACHED.findall(said)
        if begin is None or not reached:
            return ""
        first, last = _bytes(*begin.groups()), _bytes(*reached[-1])
        whole = max(last, _end(self._data)) - first
        return f"{(last - first) // _MIB} of about {whole // _MIB} MiB, "


def _bytes(high: str, low: str) -> int:
    """Return a position in PostgreSQL's WAL, which is written in two halves."""
    return int(high, 16) << 32 | int(low, 16)


def _end(data: Path) -> int:
    """Return the end of the WAL, rounded to a segment: the last one written, as later ones are only preallocated."""
    segments = [path for path in (data / "pg_wal").iterdir() if re.fullmatch(r"[0-9A-F]{24}", path.name)]
    newest = max(segments, key=lambda path: path.stat().st_mtime_ns).name
    return _bytes(newest[8:16], "0") + (int(newest[16:], 16) + 1) * _SEGMENT


def end_left_behind(data: Path) -> bool:
    """Kill the child processes of a killed server of the folder `data`; return whether all of them are gone.

    No server can start beside them. They end by themselves only when they notice that their parent is gone, which a
    busy one does late and a frozen one never.
    """
    deadline = time.monotonic() + PATIENCE
    while (left := left_behind(data)) and time.monotonic() < deadline:
        for number in left:
            with suppress(OSError):  # it ended meanwhile
                os.kill(number, signal.SIGKILL)
        time.sleep(0.02)
    return not left


def left_behind(data: Path) -> list[int]:
    """Return PostgreSQL's processes in the folder; other programs may be there for other reasons."""
    return [number for number in processes_in(data) if _name(number) == "postgres"]


def _name(number: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{number}/comm").read_text().strip()
    return ""


def processes_in(folder: Path) -> Iterator[int]:
    """Yield the processes whose working folder is `folder`, as PostgreSQL's all do (Linux)."""
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it has ended, or belongs to another user
            if link.readlink() == folder:
                yield int(link.parent.name)
