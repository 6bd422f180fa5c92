"""Large files and a real worker: killed mid-work or fed bombs, it loses nothing and limits its memory."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from django.contrib.auth.models import User

from games import tasks
from games.models import Archive, Chunk, Game, MoveLog, Upload, Verdict
from tests.conftest import Worker
from tests.factories import duels, record
from tests.games.test_worker import wait
from tests.games.uploading import store_file, upload_file
from tests.games.uploads.test_rubbish import newlines
from tests.games.uploads.unpacking import bombs
from tests.games.uploads.unpacking.bombs import MIB, zstd_of
from tests.tiers import by_tier

MOST_MEMORY = 300 * MIB
MANY, KILLED = by_tier(quick=(80, (12,)), long=(400, (40, 200)))
"""How many games an archive has, and after how many records the worker is killed."""


def state(upload: Upload) -> str:
    upload.refresh_from_db()
    return str(upload.state)


@pytest.mark.full
def test_worker_killed_while_splitting_neither_loses_nor_duplicates_games(
    stopped_worker: Worker, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIFICATION_LEASE", "2")
    monkeypatch.setenv("SPLITTING_BATCH", "4")
    upload = store_file(zstd_of(b"\n".join(duels(MANY))), alice, now)
    tasks.wake_workers()
    for enough in KILLED:
        stopped_worker.start(beat=True)
        wait(lambda enough=enough: upload.logs.count() >= enough)  # type: ignore[misc]
        stopped_worker.kill()
        assert state(upload) == "splitting", "too quick to be killed amid the work"

    stopped_worker.start(beat=True)
    wait(lambda: upload.logs.filter(state="judged").count() == MANY and state(upload) != "splitting")

    assert (state(upload), upload.split_logs, Chunk.objects.count()) == ("verifying", MANY, 0)
    assert (Game.objects.count(), Verdict.objects.count()) == (MANY, MANY)
    assert list(upload.logs.order_by("number").values_list("number", flat=True)) == list(range(1, MANY + 1))


@pytest.mark.full
def test_a_single_game_is_judged_while_an_archive_is_split(
    stopped_worker: Worker, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPLITTING_BATCH", "4")
    monkeypatch.setenv("VERIFICATION_BATCH", "4")
    stopped_worker.start()
    archive = store_file(zstd_of(b"\n".join(duels(300))), alice, now)
    tasks.wake_workers()
    wait(archive.logs.exists)
    single = upload_file(next(iter(duels(1, names=("Cleo", "Dora")))), via=Upload.Via.API, now=now)
    wait(lambda: single.logs.filter(state="judged").exists())
    assert state(archive) == "splitting"


@pytest.mark.full
def test_small_file_is_processed_promptly_beside_hostile_ones(
    stopped_worker: Worker, alice: User, bob: User, now: datetime
) -> None:
    stopped_worker.start(concurrency=1, beat=True)
    slow = [
        store_file(newlines(megabytes * MIB), alice, now) for megabytes in (200, 201)
    ]  # the same would be a duplicate
    small = store_file(zstd_of(record()), bob, now)
    tasks.wake_workers()
    wait(lambda: small.logs.filter(state="judged").exists())

    wait(lambda: {state(upload) for upload in slow} == {"refused"})
    assert set(Archive.objects.values_list("attempts", flat=True)) <= {0, 1}


@pytest.mark.full
def test_worker_stays_within_its_memory_limit_for_hostile_files(
    stopped_worker: Worker, alice: User, now: datetime, tmp_path: Path
) -> None:
    stopped_worker.start(concurrency=1)
    uploads = [store_file(data, alice, now) for data in hostile()]
    tasks.wake_workers()
    for upload in uploads:
        wait(lambda upload=upload: state(upload) in {"refused", "verifying"})  # type: ignore[misc]
        tasks.wake_workers()
    wait(lambda: not MoveLog.objects.filter(state__in=["waiting", "running"]).exists())

    assert [state(upload) for upload in uploads] == ["refused", "verifying", "refused", "verifying", "verifying"]
    peaks = list(peaks_of(stopped_worker))
    assert len(peaks) > 1
    assert max(peaks) < MOST_MEMORY


def hostile() -> Iterator[bytes]:
    """Files that need as much memory as allowed."""
    noise = Random(1).randbytes(8 * MIB)
    long = (b"[" + noise[at : at + 130_000].hex().encode() + b"\n\n" for at in range(60))
    yield bombs.zeros_in_zstd(1024 * MIB)
    game = b"\n\n" + record()  # among them, or reading the file would soon stop
    apart = b"".join(game + b"\n\n[A]\n" + noise[at : at + 400_000] for at in range(0, len(noise), 400_000))
    yield bombs.streamed_zstd(apart * 9, window_log=26, enable_long_distance_matching=1)
    yield bombs.zipped((f"{number:05}.agn", b"") for number in range(50_000))
    yield zstd_of(b"".join(long))
    yield zstd_of(b'{"a": [' + b"{}," * 80_000 + b"{}]}\n" * 20)


def peaks_of(worker: Worker) -> Iterator[int]:
    """Yield the peak memory of each process of a worker, in bytes."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            status = (process / "status").read_text()
            session = int((process / "stat").read_text().rsplit(")", 1)[1].split()[3])
        except (OSError, ValueError):
            continue
        if session in {running.pid for running in worker._running}:
            found = re.search(r"VmHWM:\s+(\d+) kB", status)
            yield int(found[1]) * 1024 if found else 0
