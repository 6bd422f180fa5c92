"""A record that takes all the memory there is: it fails alone, and is set aside with its cause."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path

import pytest
from celery.signals import worker_process_init
from django.db import connections
from pytest_django import Settings

from atta_site.memory import MEBIBYTE
from engine.agn.log import Record
from engine.verify import Verdict, verify
from games import time_slices
from games.models import MoveLog, Upload
from games.verification import at_once, queue
from tests.factories import duels
from tests.games.uploading import upload_file
from tests.games.verification.test_at_once import _forget_connections as forget_connections

HUNGRY = 4
"""The number of the record in its file."""
ROOM, MOST = 64, 512
"""MiB that a worker has for judging, and that the record takes where nothing stops it."""


def taken() -> int:
    """Return how many MiB this process has of its own."""
    found = re.search(r"VmData:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) // 1024


def hungry(record: Record) -> Verdict:
    """Judge a record; one of them takes memory to the last byte, in large pieces, then in small ones."""
    held = list[bytes]()
    if record.game == HUNGRY:
        for size in (MEBIBYTE, 4096):
            with suppress(MemoryError):
                take(held, size)
        take(held, 64)
    return verify(record)


def take(held: list[bytes], size: int) -> None:
    """Take memory in pieces of a size, but not all that a machine has."""
    held.extend(bytes(size) for _ in range(MOST * MEBIBYTE // size))


def in_a_worker(work: Callable[[], object], settings: Settings) -> int | None:
    """Do something in a process with a limit. :returns: its exit code."""

    def run() -> None:
        forget_connections()
        queue.verify = at_once.verify = hungry  # type: ignore[attr-defined]
        settings.WORKER_MEMORY = taken() + ROOM
        worker_process_init.send(sender=None)
        work()

    connections.close_all()
    worker = get_context("fork").Process(target=run)
    worker.start()
    worker.join(300)
    return worker.exitcode


@pytest.mark.django_db(transaction=True)
def test_record_that_takes_all_memory_is_set_aside_and_the_others_are_judged(now: datetime, settings: Settings) -> None:
    settings.VERIFICATION_LEASE = 600  # however slow the machine is
    upload_file(b"\n".join(duels(6)), via=Upload.Via.API, now=now)

    assert in_a_worker(lambda: [time_slices.judge_waiting(call=list) for _ in range(4)], settings) == 0

    rows = MoveLog.objects.order_by("number").values_list("state", "attempts", "failure")
    aside = ("quarantined", queue.ATTEMPTS, "Verification failed: MemoryError.")
    assert list(rows) == [("judged", 1, "")] * 3 + [aside] + [("judged", 1, "")] * 2
