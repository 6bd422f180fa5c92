"""End to end: from the moment files are taken in until every verdict, seating and rating is stored."""

import os
import secrets
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import monotonic, sleep

from atta_site import embedded, processes
from bench.rate import Rate
from bench.samples import SAMPLES
from engine.verify import verify_bytes

LEGAL = ("club-evenings.agn", "rules-of-2003.agn")


def cut_games() -> Iterator[tuple[bytes, int]]:
    """The sample games, each given up at every ply but the last few: many different games, with their plies."""
    verdicts = verify_bytes(b"\n".join((SAMPLES / name).read_bytes() for name in LEGAL))
    for end in range(150, 20, -1):
        for verdict in verdicts:
            played = verdict.replay
            if played and end < len(played.actions):
                turn = played.ruleset.to_act(played.states[end])
                seats = played.tags["Seats"].split(" ")
                if len(seats) == 2:
                    yield _given_up(verdict.text or "", played.actions[:end], seats, turn), end + 1


def _given_up(text: str, actions: tuple[str, ...], seats: list[str], turn: str | None) -> bytes:
    result = "-".join("2" if seat == turn else "1" for seat in seats)
    head = text.partition("\n\n")[0].rpartition("\n")[0]
    return f'{head}\n[Result "{result}"]\n\n{" ".join(actions)} resign:{turn} {result}\n'.encode()


def measure(count: int) -> Rate:
    """Take `count` games in and wait for the last verdict. Wall time, divided by the cores at work."""
    cores = os.cpu_count() or 1
    with (
        tempfile.TemporaryDirectory(prefix="atta-bench-") as folder,
        embedded.servers(Path(folder) / "servers") as pair,
    ):
        pair.start()
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "atta_site.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "localhost",
            "DATABASE_URL": pair.postgres.url,
            "CELERY_BROKER_URL": pair.valkey.url,
            "LOG_LEVEL": "WARNING",
        }
        with (Path(folder) / "worker.log").open("ab") as log:
            return _measure(count, cores, log.fileno())


def _measure(count: int, cores: int, log: int) -> Rate:
    import django  # noqa: PLC0415 (the environment comes first)
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)
    worker = processes.spawn(processes.worker("bench", concurrency=cores), log)
    try:
        sleep(4)
        return _timed(count, cores, worker)
    finally:
        processes.end(worker)


def _timed(count: int, cores: int, worker: "subprocess.Popen[bytes]") -> Rate:
    from django.utils import timezone  # noqa: PLC0415

    from games import tasks  # noqa: PLC0415
    from games.models import MoveLog, Upload  # noqa: PLC0415
    from games.services.intake import take_in  # noqa: PLC0415

    cut = list(islice(cut_games(), count))
    begun = monotonic()
    take_in(b"\n".join(text for text, _ in cut), via=Upload.Via.COMMAND, now=timezone.now())
    tasks.ring()
    waiting = MoveLog.objects.exclude(state=MoveLog.State.JUDGED)
    while waiting.exists():
        if worker.poll() is not None:
            raise SystemExit("the worker died")
        sleep(0.02)
    spent = (monotonic() - begun) * cores
    return Rate(sum(plies for _, plies in cut) / spent, len(cut) / spent)
