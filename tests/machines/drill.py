"""The drill: while people upload and read, each link is cut and each machine lost, and the replica is promoted."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import psycopg

from tests.faults import checker
from tests.faults.parcels import Parcel
from tests.machines.people import Reader, Uploaders, asked
from tests.machines.site import BASES, BROKER, LINKS, WEBS, WORKERS, Site, running

CLUB = "nest"
_PATIENCE = 600.0
_QUARANTINED = """SELECT id, file_digest FROM games_upload
    WHERE id IN (SELECT upload_id FROM games_movelog WHERE state = 'quarantined')"""

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Size:
    """How large a drill is."""

    hold: float
    """Seconds for which a link is cut or a machine is gone."""
    lease: int
    files_each: int
    """Files that are uploaded during each fault."""
    files_timed: int
    """Files with which each number of workers is timed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One fault, and how the site fared meanwhile."""

    fault: str
    seconds: float
    accepted: int
    served: int
    refused: int


@dataclass
class Outcome:
    """What a drill showed."""

    steps: list[Step] = field(default_factory=list)
    speeds: dict[int, float] = field(default_factory=dict)
    """Records a second by the number of workers."""
    refused: list[str] = field(default_factory=list)
    """What readers did not get."""
    served: int = 0
    slowest_read: float = 0.0
    promoted_after: float = 0.0
    """Seconds from the promotion to the next accepted upload."""
    settled: float = 0.0
    flaws: list[str] = field(default_factory=list)
    state: bytes = b""
    retried: frozenset[str] = frozenset()
    answers: Counter[int] = field(default_factory=Counter)


def needed(size: Size) -> int:
    """Return how many files a drill takes."""
    return 1 + len(WORKERS) * size.files_timed + (len(LINKS) + len(_machines())) * size.files_each


def run(folder: Path, parcels: Sequence[Parcel], size: Size, say: Say) -> Outcome:
    """Run a site on its machines, break it, and return the outcome."""
    with running(folder, lease=size.lease) as site:
        return _Drill(site, parcels, size, say).through()


def _machines() -> tuple[str, ...]:
    return (*WEBS, *WORKERS, BROKER, "the replica", "the primary")


class _Drill:
    """A drill on a site that has just been started."""

    def __init__(self, site: Site, parcels: Sequence[Parcel], size: Size, say: Say) -> None:
        self.site, self.parcels, self.size, self.say = site, parcels, size, say
        self.files, self.log = iter(parcels), site.folder / "answers.jsonl"
        self.outcome, self.retried = Outcome(), set[str]()
        self.token = site.manage("make_token", "alice").stdout.strip()
        self._post("clubs", {"slug": CLUB, "name": "Nest", "about": ""})
        self.people = Uploaders(0, self.token, CLUB, self.log, hosts=site.addresses())
        self.people.start(3)
        self.reader = Reader(site.addresses())

    def through(self) -> Outcome:
        """Time the workers, break everything once, wait and check."""
        self._send(1)
        self._settle()
        self._time_workers()
        self.reader.start()
        for one, other in LINKS:
            self._step(f"{one} and {other} do not reach each other", self._cut(one, other))
        for name in _machines():
            self._step(f"{name} is lost", self._lose(name))
        begun = time.monotonic()
        self.outcome.flaws += self._settle()
        self.outcome.settled = time.monotonic() - begun
        self.reader.stop()
        return self._checked()

    def _send(self, count: int) -> int:
        """Have some files uploaded; return how many records they have."""
        files = [next(self.files) for _ in range(count)]
        self.people.send(files)
        return sum(len(one.verdicts) for one in files)

    def _time_workers(self) -> None:
        for number in range(1, len(WORKERS) + 1):
            for name in WORKERS[number:]:
                self.site.end(name)
            self.site.run(WORKERS[number - 1])
            self.site.let_pass(3)
            begun = time.monotonic()
            records = self._send(self.size.files_timed)
            self.outcome.flaws += self._settle()
            self.outcome.speeds[number] = records / (time.monotonic() - begun)
            self.say(f"{number} workers: {self.outcome.speeds[number]:.0f} records a second")

    def _step(self, fault: str, breaking: Iterator[None]) -> None:
        """Break something, send files, and put it right after a while."""
        begun, accepted = time.monotonic(), self.people.accepted
        served, refused = self.reader.served, len(self.reader.refused)
        self.reader.meanwhile = fault
        next(breaking)
        self._send(self.size.files_each)
        self.site.let_pass(self.size.hold)
        for _ in breaking:
            self.site.let_pass(self.size.hold / 2)
        self.site.let_pass(1)
        step = Step(
            fault, time.monotonic() - begun, self.people.accepted - accepted, self.reader.served - served,
            len(self.reader.refused) - refused,
        )  # fmt: skip
        self.outcome.steps.append(step)
        self.say(f"{step.seconds:5.1f} s  {step.accepted} accepted, {step.served}+{step.refused} read  {fault}")

    def _cut(self, one: str, other: str) -> Iterator[None]:
        self.site.network.cut(self.site.machine(one), self.site.machine(other))
        yield
        self.site.network.mend(self.site.machine(one), self.site.machine(other))

    def _lose(self, what: str) -> Iterator[None]:
        name = {"the replica": self.site.replica, "the primary": self.site.primary}.get(what, what)
        self.site.lose(name)
        yield
        if name in BASES:
            before, begun = self.people.accepted, time.monotonic()
            self.site.give_up(name)
            while what == "the primary" and self.people.accepted == before and time.monotonic() < begun + 60:
                time.sleep(0.1)
            if what == "the primary":
                self.outcome.promoted_after = time.monotonic() - begun
            yield
        self.site.bring_back(name)

    def _settle(self) -> list[str]:
        """Wait until everything that was sent is accepted and nothing waits; return what did not happen."""
        until, sent = time.monotonic() + _PATIENCE, self.people.sent
        while time.monotonic() < until:
            self.site.let_pass(0.2)
            with suppress(psycopg.Error, OSError):
                url = self.site.database.url
                if self.people.accepted >= sent and not checker.unfinished(url) and not self._retry():
                    return []
        return [f"after {_PATIENCE:.0f} s: {self.people.accepted} of {sent} accepted"]

    def _retry(self) -> int:
        """Retry the records that were set aside after three attempts that did not end, as an operator does."""
        found = self.site.database.ask(_QUARANTINED)
        players = {parcel.digest: parcel.players for parcel in self.parcels}
        for number, digest in found:
            self._post(f"uploads/{number}/retry")
            self.retried.update(players[str(digest)])
        return len(found)

    def _post(self, path: str, body: object = None) -> None:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        for host in self.site.addresses():
            with suppress(OSError, HTTPException):
                asked(host, "POST", f"/api/v1/{path}", json.dumps(body or {}).encode(), headers)
                return

    def _checked(self) -> Outcome:
        found, url = self.outcome, self.site.database.url
        expected = {parcel.digest: parcel.counts for parcel in self.parcels}
        answers = checker.answers_in(self.log)
        web = f"http://{self.site.addresses()[0]}:8000"
        found.flaws += checker.flaws(answers, expected, url, web, self.token)
        done = self.site.manage("fsck")
        found.flaws += [f"fsck: {done.stdout[-2000:]}{done.stderr[-2000:]}"] if done.returncode else []
        found.state, found.retried = checker.state(url), frozenset(self.retried)
        found.answers = Counter(one["status"] for one in answers)
        found.refused, found.served, found.slowest_read = self.reader.refused, self.reader.served, self.reader.slowest
        return found
