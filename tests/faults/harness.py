"""One run: files are sent, the site is broken as planned, and once nothing waits any more the checker looks at it."""

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

import psycopg

from tests.faults import checker
from tests.faults.asking import answer_to
from tests.faults.breaking import Breaker
from tests.faults.clients import Clients
from tests.faults.parcels import Parcel
from tests.faults.plan import Broker, Fault, Kind, draw
from tests.faults.site import CLUB, LIBFAKETIME, PATIENCE, Site, running

_CLIENTS = 4
_AT_LEAST = 20
"""Records verified a second, on a machine that is busy."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a run is."""

    faults: int
    hang: float
    """Seconds for which servers hang."""
    lease: int
    kinds: tuple[Kind, ...] = tuple(Kind)
    broker: Broker = Broker.VALKEY
    changes: int = 2_100
    """MiB of changes since the last checkpoint amid which everything is killed."""

    @property
    def room(self) -> int:
        """Return the MiB of changes for which there must be room."""
        return self.changes if self.faults and Kind.EVERYTHING_CHANGED in self.kinds else 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run showed."""

    flaws: list[str]
    state: bytes
    plan: list[Fault]
    answers: Counter[int]
    """How often clients were given each status; 0: no answer."""
    slowest: dict[Kind | None, float]
    """Seconds of the slowest upload that was accepted during each kind of fault or after it; None: before the first."""
    settled: float
    """Seconds from the last fault until nothing waited any more."""
    late: int
    """How often a worker was stopped while it held records."""
    refused: int
    """Records whose late result the fence refused."""
    retried: frozenset[str]
    """Players of files with records that were set aside after three attempts, and retried: rated in another order."""
    restarts: dict[str, int]
    replayed: list[int]
    """MiB of changes that PostgreSQL had to replay, each time everything was killed amid many."""
    clock_an_hour_off: bool

    def ended_like(self, other: "Outcome") -> bool:
        """Return whether everything is the same as after another run, except for the order of what was retried."""
        retried = self.retried | other.retried
        return checker.but_for(self.state, retried) == checker.but_for(other.state, retried)


def run(folder: Path, parcels: Sequence[Parcel], seed: int, size: Size, say: Callable[[str], object]) -> Outcome:
    """Run a site, break it as the seed says, and return the outcome. Without faults nothing is broken."""
    differ, room = bool(size.faults), size.room
    with running(folder, lease=size.lease, clocks_differ=differ, broker=size.broker, changes=room) as site:
        return _Run(site, parcels, seed, size, say).through()


class _Run:
    """A run on a site that has just been started."""

    def __init__(
        self, site: Site, parcels: Sequence[Parcel], seed: int, size: Size, say: Callable[[str], object]
    ) -> None:
        self.site, self.parcels, self.size, self.say = site, parcels, size, say
        self.breaker = Breaker(site, Random(f"breaking {seed}"), hang=size.hang, changes=size.changes)
        kinds = [kind for kind in self.breaker.possible() if kind in size.kinds]
        self.plan = draw(seed, size.faults, kinds)
        self.log = site.folder / "answers.jsonl"
        self.retried: set[str] = set()
        self.begun: list[tuple[float, Kind]] = []
        """When each fault began."""

    def through(self) -> Outcome:
        """Send, break, wait and check."""
        token = self._open_club()
        clients = Clients(self.site.port, token, CLUB, self.log)
        clients.start(_CLIENTS)
        parts = max(1, len(self.plan))
        for number in range(parts):
            files = self.parcels[number::parts]
            if self.plan:
                self._break(self.plan[number], partial(clients.send, files))
            else:
                clients.send(files)
        begun = time.monotonic()
        flaws = self._settle(clients, token)
        settled = time.monotonic() - begun
        answers = checker.answers_in(self.log)
        expected = {parcel.digest: parcel.counts for parcel in self.parcels}
        flaws += checker.flaws(answers, expected, self.site.postgres.url, self.site.address, token)
        flaws += self._fsck()
        return Outcome(
            flaws=flaws,
            state=checker.state(self.site.postgres.url),
            plan=self.plan,
            answers=Counter(one["status"] for one in answers),
            slowest=self._slowest(answers),
            settled=settled,
            late=self.breaker.late,
            refused=self.breaker.refused(),
            retried=frozenset(self.retried),
            restarts=dict(self.site.restarts),
            replayed=self.breaker.replayed,
            clock_an_hour_off=bool(self.plan) and LIBFAKETIME is not None,
        )

    def _slowest(self, answers: Sequence[Mapping[str, Any]]) -> dict[Kind | None, float]:
        found: dict[Kind | None, float] = {}
        for one in (one for one in answers if one["status"] in (200, 202)):
            end = one["at"] + one["seconds"]
            kind = next((kind for begun, kind in reversed(self.begun) if begun < end), None)
            found[kind] = max(found.get(kind, 0.0), one["seconds"])
        return found

    def _open_club(self) -> str:
        """Return the token of an account that has just founded a club, in which games count at once."""
        token = self.site.manage("make_token", "alice").stdout.strip()
        self._post("clubs", token, {"slug": CLUB, "name": "Nest", "about": ""})
        return token

    def _post(self, path: str, token: str, body: object = None) -> None:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        answer_to(Request(f"{self.site.address}/api/v1/{path}", json.dumps(body or {}).encode(), headers))

    def _break(self, fault: Fault, send: Callable[[], object]) -> None:
        begun = time.monotonic()
        self.begun.append((time.time(), fault.kind))
        self.breaker.make(fault, send)
        self.site.let_pass(1.0)
        self.say(f"{fault.number:4} {time.monotonic() - begun:5.1f} s  {fault.kind}")

    def _settle(self, clients: Clients, token: str) -> list[str]:
        """Wait until everything is accepted and nothing waits; return what did not happen."""
        patience = self._patience()
        until = time.monotonic() + patience
        is_accepted = False
        while time.monotonic() < until:
            self.site.let_pass(0.2)
            is_accepted = is_accepted or clients.accepted >= len(self.parcels)
            with suppress(psycopg.Error, OSError):
                if is_accepted and not checker.unfinished(self.site.postgres.url) and not self._retry(token):
                    clients.finish(PATIENCE)
                    self.site.until_it_answers()
                    return []
        waiting = checker.unfinished(self.site.postgres.url)
        return [f"after {patience:.0f} s: {clients.accepted} of {len(self.parcels)} accepted, {waiting} still wait"]

    def _patience(self) -> float:
        """Return how long to wait: without faults, everything was sent at once."""
        records = sum(len(parcel.verdicts) for parcel in self.parcels)
        return PATIENCE if self.plan else PATIENCE + records / _AT_LEAST

    def _retry(self, token: str) -> int:
        """Retry the records that were set aside after three attempts that did not end, as an operator does."""
        query = """SELECT id, file_digest FROM games_upload
            WHERE id IN (SELECT upload_id FROM games_movelog WHERE state = 'quarantined')"""
        with psycopg.connect(self.site.postgres.url, connect_timeout=5) as connection:
            found = connection.execute(query).fetchall()
        players = {parcel.digest: parcel.players for parcel in self.parcels}
        for number, digest in found:
            with suppress(HTTPError):
                self._post(f"uploads/{number}/retry", token)
                self.retried.update(players[digest])
        return len(found)

    def _fsck(self) -> list[str]:
        done = self.site.manage("fsck")
        return [f"fsck: {done.stdout[-2000:]}{done.stderr[-2000:]}"] if done.returncode else []
