"""What is broken, and when: a plan drawn from a seed, in which every kind of fault comes equally often."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle, islice
from random import Random


class Kind(StrEnum):
    """A kind of fault."""

    WORKER = "a worker is killed"
    CHILD = "a worker's child is killed"
    WEB = "the web process is killed"
    BEAT = "beat is killed"
    BROKER = "the broker is killed"
    BROKER_WIPED = "the broker is emptied"
    BROKER_HANGS = "the broker hangs"
    MESSAGES = "messages come one to five times, shuffled"
    BACKEND = "a PostgreSQL backend is killed"
    SESSIONS = "all sessions of PostgreSQL are ended"
    POSTMASTER = "PostgreSQL is killed"
    POSTGRES_HANGS = "PostgreSQL hangs"
    DATABASE_FULL = "the database's disk is full"
    SPOOL_FULL = "the disk of the temporary folder is full"
    LATE_WORKER = "a worker wakes up after its lease"
    EVERYTHING = "everything is killed at once"
    EVERYTHING_CHANGED = "everything is killed at once amid gigabytes of changes to replay"


class Broker(StrEnum):
    """A kind of broker."""

    VALKEY = "Valkey"
    RABBITMQ = "RabbitMQ"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, and how long after its files were sent it comes."""

    number: int
    kind: Kind
    delay: float


def draw(seed: int, count: int, kinds: list[Kind] | None = None) -> list[Fault]:
    """Return a plan of so many faults."""
    random, kinds = Random(f"plan {seed}"), list(kinds or Kind)
    random.shuffle(kinds)
    drawn = islice(cycle(kinds), count)
    return [Fault(number, kind, round(random.uniform(0, 0.6), 3)) for number, kind in enumerate(drawn, 1)]
