"""How each kind of fault is made. A function returns once the fault is over; the site restarts what died."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import psycopg
from amqp import AMQPError
from kombu import Connection, Queue
from kombu.exceptions import OperationalError
from psycopg.rows import TupleRow
from redis.exceptions import RedisError

from atta_site import processes
from tests.faults.plan import Fault, Kind
from tests.faults.site import Site

_QUEUE = "atta"
_FREE_AGAIN = 1.0
"""Seconds for which a disk stays full."""
_CONCURRENCY = 2
"""Children of a worker."""
_HOLDING = 15.0
"""Seconds within which a worker is to claim records."""
_TAKEN_OVER = 60.0
"""Seconds within which the other worker is to claim them after the lease."""
_REFUSED = 20.0
"""Seconds within which its results are to be refused when it goes on."""
_FILLED = 300.0
"""Seconds within which the changes are to be made."""
_AMID = 0.5
"""Seconds from sending files until everything is killed."""
_SEND_THEMSELVES = (Kind.LATE_WORKER, Kind.EVERYTHING_CHANGED)
"""Those for which files must not be verified before."""
_TOO_LATE = '"event": "verification.too_late"'

Watching: TypeAlias = "psycopg.Connection[TupleRow]"
Leases: TypeAlias = set[tuple[int, int]]
"""Numbers of records with their fences."""


class Breaker:
    """Breaks a site."""

    def __init__(self, site: Site, random: Random, *, hang: float, changes: int) -> None:
        """Break this site; a server that hangs does so for `hang` seconds.

        :param changes: MiB that PostgreSQL has to replay when everything is killed amid many.
        """
        self.send: Callable[[], object] = lambda: None
        self.site, self.random, self.hang, self.changes = site, random, hang, changes
        self.late = 0
        """How often a worker was stopped while it held records."""
        self.replayed: list[int] = []
        """MiB that PostgreSQL had to replay, each time."""

    def possible(self) -> list[Kind]:
        """Return the kinds that this machine allows."""
        needs = {Kind.DATABASE_FULL: "database", Kind.SPOOL_FULL: "spool"}
        return [kind for kind in Kind if kind not in needs or needs[kind] in self.site.disks]

    def make(self, fault: Fault, send: Callable[[], object]) -> None:
        """Have files sent, make a fault a moment later, and wait until it is over."""
        self.send = send
        if fault.kind not in _SEND_THEMSELVES:
            send()
            self.site.let_pass(fault.delay)
        _HOW[fault.kind](self)

    def kill_worker(self) -> None:
        """Kill a worker with its children."""
        self._kill(("worker one", "worker two")[self.random.randrange(2)])

    def kill_child(self) -> None:
        """Kill one child of a worker, as the kernel does when memory is short."""
        process = self.site.worker(self.random.randrange(2)).process
        children = children_of(process.pid) if process else []
        if children:
            with suppress(ProcessLookupError):
                os.kill(self.random.choice(children), signal.SIGKILL)

    def kill_web(self) -> None:
        """Kill the web process."""
        self._kill("web")

    def kill_beat(self) -> None:
        """Kill beat."""
        self._kill("beat")

    def kill_broker(self) -> None:
        """Kill the broker; Valkey then forgets everything, RabbitMQ the first, third, … time."""
        if self.site.broker.process:
            processes.kill(self.site.broker.process)

    def wipe_broker(self) -> None:
        """Remove all messages."""
        with suppress(*_BROKER_ERRORS), Connection(self.site.broker.url) as broker:
            channel: Any = broker.channel()
            channel.queue_purge(_QUEUE)

    def hang_broker(self) -> None:
        """Have the broker accept connections and answer nothing."""
        if self.site.broker.process:
            with self._frozen([self.site.broker.process.pid]):
                self.site.let_pass(self.hang)

    def repeat_messages(self) -> None:
        """Let messages gather while the workers are stopped, then put each back one to five times, shuffled."""
        workers = [number for at in (0, 1) for number in self._worker(at)]
        with self._frozen(workers):
            self.site.let_pass(1.5)
            with suppress(*_BROKER_ERRORS), Connection(self.site.broker.url) as broker:
                self._repeat(broker)

    def _repeat(self, broker: Connection) -> None:
        channel: Any = broker.channel()
        producer, found, queue = broker.Producer(), [], Queue(_QUEUE)(channel)
        while message := queue.get(no_ack=True):
            found += [message] * self.random.randint(1, 5)
        self.random.shuffle(found)
        for message in found:
            kept: dict[str, Any] = {name: message.properties.get(name) for name in ("correlation_id", "reply_to")}
            producer.publish(
                message.body,
                routing_key=_QUEUE,
                headers=message.headers,
                content_type=message.content_type,
                content_encoding=message.content_encoding,
                **kept,
            )

    def kill_backend(self) -> None:
        """Kill one of PostgreSQL's processes; the others then end too, and it recovers by itself."""
        postmaster = self.site.postgres.process
        others = [one for one in self.site.postgres_processes() if not postmaster or one != postmaster.pid]
        if others:
            with suppress(ProcessLookupError):
                os.kill(self.random.choice(others), signal.SIGKILL)

    def end_sessions(self) -> None:
        """End all sessions, as an operator or a pooler does."""
        with suppress(psycopg.Error), psycopg.connect(self.site.postgres.url, connect_timeout=5) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def kill_postgres(self) -> None:
        """Kill PostgreSQL's first process."""
        if self.site.postgres.process:
            self.site.postgres.process.kill()
            self.site.postgres.process.wait()

    def hang_postgres(self) -> None:
        """Have PostgreSQL answer nothing."""
        with self._frozen(self.site.postgres_processes()):
            self.site.let_pass(self.hang)

    def fill_database(self) -> None:
        """Fill the disk of the database for a while; PostgreSQL may end, and is started again when there is room."""
        with _full(self.site.disks["database"]):
            self.site.let_pass(_FREE_AGAIN, restart=False)

    def fill_spool(self) -> None:
        """Fill the disk of the temporary folder for a while."""
        with _full(self.site.disks["spool"]):
            self.site.let_pass(_FREE_AGAIN)

    def delay_worker(self) -> None:
        """Stop a worker that holds records, let the other one judge them when the lease is over, and wake it up."""
        self._until(lambda: all(len(self._worker(number)) > _CONCURRENCY for number in (0, 1)), _HOLDING)
        first, second, before = self._worker(0), self._worker(1), self.refused()
        with self._frozen(second), suppress(psycopg.Error), self._watching() as database:
            self._until(lambda: not _held(database), self.site.lease + 5)  # what the other one holds is not meant
            self.send()
            held = self._hold(first, database)
        if held:
            self.late += 1
            with suppress(psycopg.Error), self._watching() as database:
                self._until(lambda: not held & _held(database), _TAKEN_OVER)
        self.site.thaw(first)
        if held:
            self._until(lambda: self.refused() > before, _REFUSED)

    def refused(self) -> int:
        """Return how many late results were refused so far, as the workers' logs say."""
        logs = [self.site.worker(number).log.read_text(errors="replace").splitlines() for number in (0, 1)]
        return sum(json.loads(line)["count"] for log in logs for line in log if _TOO_LATE in line)

    def _hold(self, worker: list[int], database: Watching) -> Leases:
        """Stop a worker as soon as it has claimed records and stores none of them; return their leases."""
        until = time.monotonic() + _HOLDING
        while time.monotonic() < until:
            if _held(database):
                self.site.freeze(worker)
                if held := _held(database):
                    return held
                self.site.thaw(worker)
        return set()

    def _until(self, condition: Callable[[], bool], patience: float) -> None:
        """Wait until something is so, at most `patience` seconds."""
        until = time.monotonic() + patience
        while not condition() and time.monotonic() < until:
            self.site.let_pass(0.1)

    def _watching(self) -> Watching:
        return psycopg.connect(self.site.postgres.url, connect_timeout=5)

    def kill_everything(self) -> None:
        """Kill all processes of all parts at once, as when the machine's power fails."""
        for service in self.site.services.values():
            if service.process:
                with suppress(ProcessLookupError):
                    os.killpg(service.process.pid, signal.SIGKILL)
        self.kill_broker()
        for number in self.site.postgres_processes():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def kill_everything_changed(self) -> None:
        """Kill everything while much was changed since the last checkpoint, and more is being changed."""
        database = self.site.postgres
        database.put_off_checkpoints(self.changes)
        filling = database.change_without_end()
        self._until(lambda: database.changes() >= self.changes or not filling.is_alive(), _FILLED)
        self.send()
        self.site.let_pass(_AMID)
        self.replayed.append(database.changes())
        self.kill_everything()
        self.site.let_pass(1.0)
        self._until(database.is_alive, _FILLED)
        database.as_usual()

    def _kill(self, name: str) -> None:
        if process := self.site.services[name].process:
            processes.kill(process)

    def _worker(self, number: int) -> list[int]:
        process = self.site.worker(number).process
        return [process.pid, *children_of(process.pid)] if process else []

    @contextmanager
    def _frozen(self, numbers: list[int]) -> Iterator[None]:
        self.site.freeze(numbers)
        try:
            yield
        finally:
            self.site.thaw(numbers)


_BROKER_ERRORS = (OSError, OperationalError, RedisError, AMQPError)
_HOW: dict[Kind, Callable[[Breaker], None]] = {
    Kind.WORKER: Breaker.kill_worker,
    Kind.CHILD: Breaker.kill_child,
    Kind.WEB: Breaker.kill_web,
    Kind.BEAT: Breaker.kill_beat,
    Kind.BROKER: Breaker.kill_broker,
    Kind.BROKER_WIPED: Breaker.wipe_broker,
    Kind.BROKER_HANGS: Breaker.hang_broker,
    Kind.MESSAGES: Breaker.repeat_messages,
    Kind.BACKEND: Breaker.kill_backend,
    Kind.SESSIONS: Breaker.end_sessions,
    Kind.POSTMASTER: Breaker.kill_postgres,
    Kind.POSTGRES_HANGS: Breaker.hang_postgres,
    Kind.DATABASE_FULL: Breaker.fill_database,
    Kind.SPOOL_FULL: Breaker.fill_spool,
    Kind.LATE_WORKER: Breaker.delay_worker,
    Kind.EVERYTHING: Breaker.kill_everything,
    Kind.EVERYTHING_CHANGED: Breaker.kill_everything_changed,
}


def _held(database: Watching) -> Leases:
    """Return the leases of the records that a worker has claimed and is not storing right now."""
    query = "SELECT id, fence FROM games_movelog WHERE state = 'running' FOR UPDATE SKIP LOCKED"
    found = {(number, fence) for number, fence in database.execute(query)}
    database.rollback()
    return found


def children_of(number: int) -> list[int]:
    """Return the numbers of a process' children."""
    with suppress(OSError):
        return [int(one) for one in Path(f"/proc/{number}/task/{number}/children").read_text().split()]
    return []


@contextmanager
def _full(disk: Path) -> Iterator[None]:
    """Leave a file system no room for a while: it is made as small as what it holds, whatever its size."""
    whole = os.statvfs(disk)
    while not _resized(disk, _used(disk)):  # what is written meanwhile does not fit in
        time.sleep(0.01)
    try:
        yield
    finally:
        _resized(disk, whole.f_blocks * whole.f_frsize)


def _used(disk: Path) -> int:
    now = os.statvfs(disk)
    return max(1, now.f_blocks - now.f_bfree) * now.f_frsize  # a size of nothing would mean no limit


def _resized(disk: Path, size: int) -> bool:
    command = ["mount", "-o", f"remount,size={size}", str(disk)]
    return not subprocess.run(command, capture_output=True, check=False).returncode
