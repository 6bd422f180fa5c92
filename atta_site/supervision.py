"""Keeps the parts of `make run` alive: reports and restarts what dies, shows errors, and keeps logs short."""

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from atta_site import forking, processes

LONGEST_WAIT = 30.0
STEADY = 60.0
LONGEST_LOG = 64 * 2**20
"""Bytes after which a log begins anew; what it held is kept as one older file."""
EVIDENCE = 2**20
"""Bytes of a log that are kept when its process ended unasked."""
CRASHES = 20
"""How many of these are kept: the newest."""


class Part(Protocol):
    """Anything that can be watched and restarted; the embedded servers are such parts, too."""

    @property
    def name(self) -> str:
        """Its name for people."""

    @property
    def log(self) -> Path:
        """The file that it writes to."""

    def start(self) -> None:
        """Start it, also after it died."""

    def is_alive(self) -> bool:
        """Say whether it runs."""


class Service:
    """One process of the site, with a log file of its own."""

    def __init__(
        self, name: str, command: Sequence[str], log: Path, environment: Mapping[str, str], *, forked: bool = False
    ) -> None:
        """Describe the process; nothing is started yet.

        :param forked: its first start is a fork of this process, which has loaded the site's code.
        """
        self.name = name
        self.command = command
        self.log = processes.fresh_log(log)
        self.environment = environment
        self.forked = forked
        self.process: processes.Process | None = None

    def start(self) -> None:
        """Start the process, after killing the children of a dead one before it, which may still hold the port."""
        if self.process:
            processes.kill(self.process)
        with self.log.open("ab") as log:
            if self.forked:
                self.process = forking.fork(self.command, log.fileno(), name=self.name)
            else:
                self.process = processes.spawn(self.command, log.fileno(), env=self.environment)
        self.forked = False

    def stop(self) -> None:
        """End the process."""
        if self.process:
            processes.end(self.process)

    def is_alive(self) -> bool:
        """Say whether the process runs."""
        return self.process is not None and self.process.poll() is None


def stop_together(services: Sequence[Service], *, patience: float) -> None:
    """End all of some services; what does not end in time is killed, and loses no more than in a crash."""
    processes.end_together([one.process for one in services if one.process], patience=patience)


class Errands:
    """What is done once, one after another, while the site runs."""

    def __init__(self, errands: Sequence[Service], say: Callable[[str], None]) -> None:
        """Do errands in the order in which they are given; `say` shows a line to the person in front."""
        self.say = say
        self._waiting = list(errands)
        self._started: float | None = None

    def look(self) -> None:
        """Start the next one, and say what became of the one that has ended."""
        if not self._waiting or self._waiting[0].is_alive():
            return
        if self._started is None:
            self._started = time.monotonic()
            self._waiting[0].start()
            return
        done = self._waiting.pop(0)
        if done.process and done.process.poll():
            self.say("\n    ".join([f"  {done.name} failed:", *last_lines(done.log)]))
        else:
            self.say(took(done.name, time.monotonic() - self._started))
        self._started = None


def took(name: str, seconds: float) -> str:
    """Return a line about a step that is done."""
    return f"  {name:<28}{seconds:>6.1f} s"


class Watch:
    """One watched part: when it may be restarted, and how far its log was read."""

    def __init__(self, part: Part, say: Callable[[str], None]) -> None:
        """Watch a part that was just started; `say` shows a line to the person in front."""
        self.part = part
        self.say = say
        self.deaths = 0
        self.started = time.monotonic()
        self.again_at: float | None = None
        self.read = part.log.stat().st_size

    def look(self) -> None:
        """Show new errors; when the part is dead, report it and start it again after a while."""
        self._show_errors()
        self._begin_anew()
        if self.part.is_alive():
            return
        now = time.monotonic()
        if self.again_at is None:
            self._report(now)
        elif now >= self.again_at:
            self._start_again(now)

    def _report(self, now: float) -> None:
        self.deaths = 1 if now - self.started > STEADY else self.deaths + 1
        wait = min(LONGEST_WAIT, 2.0 ** (self.deaths - 1))
        self.again_at = now + wait
        self.say(f"{self.part.name} ended unasked; it starts again in {wait:.0f} s. Its last lines:")
        for line in last_lines(self.part.log):
            self.say(f"    {line}")
        try:
            keep_evidence(self.part.log)
        except OSError as problem:  # a full disk, for which it may have ended
            self.say(f"The end of its log cannot be kept: {problem}")

    def _start_again(self, now: float) -> None:
        self.again_at = None
        self.started = now
        with suppress(RuntimeError):  # a server that did not start is found dead at the next check
            self.part.start()
            self.say(f"{self.part.name} runs again")

    def _begin_anew(self) -> None:
        """Empty a log that is long, after copying it: the process goes on writing to the same file.

        Where the disk is full, as much of it is kept as there is room for.
        """
        if self.read > LONGEST_LOG:
            try:
                shutil.copyfile(self.part.log, self.part.log.with_suffix(".log.1"))
            except OSError as problem:
                self.say(f"The log of {self.part.name} cannot be kept whole: {problem}")
            os.truncate(self.part.log, 0)
            self.read = 0

    def _show_errors(self) -> None:
        with self.part.log.open("rb") as log:
            log.seek(self.read)
            whole, newline, _ = log.read().rpartition(b"\n")
        self.read += len(whole) + len(newline)
        for line in whole.splitlines():
            if error := _error(line):
                self.say(f"{self.part.name}: {error} ({self.part.log.name})")


def keep_evidence(log: Path) -> None:
    """Copy the end of a dead process's log to `crashes` beside it, where no later run overwrites it."""
    folder = log.parent / "crashes"
    folder.mkdir(exist_ok=True)
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - EVIDENCE))
        (folder / f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{log.stem}.log").write_bytes(file.read())
    for old in sorted(folder.iterdir())[:-CRASHES]:
        old.unlink()


def last_lines(log: Path, count: int = 8) -> list[str]:
    """Return the end of a log."""
    return log.read_text(errors="replace").splitlines()[-count:]


def _error(line: bytes) -> str | None:
    """Return the error in a line, if it is a JSON log line of this site with an error."""
    with suppress(ValueError):
        entry = json.loads(line)
        if isinstance(entry, dict) and entry.get("level") in {"error", "critical"}:
            return str(entry.get("event"))
    return None
