"""Measures leaderboards with a million players and ten million seatings: answers over HTTP, and statements.

`make bench OF=leaderboards` makes the database in `var/bench` once (a quarter of an hour, 12 GB) and measures with the
site's own server beside it; `--again` makes it anew.
"""

import argparse
import http.client
import os
import secrets
import shutil
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from random import Random
from time import monotonic, perf_counter, sleep

from atta_site import embedded, processes
from bench.__main__ import machine

HOME = processes.ROOT / "var" / "bench" / "leaderboards"
BOARD = "/leaderboards/atta-ants-online/"
API = "/api/v1/leaderboards/atta-ants-online"
_BUFFERS = 2048
"""MiB that PostgreSQL keeps in memory, as on a server of its own; ours is content with half of it."""
_BEGUN = monotonic()


def say(words: object) -> None:
    """Print, with the seconds so far."""
    print(f"{monotonic() - _BEGUN:7.1f} s  {words}", flush=True)


def main() -> None:
    """Make the database if it is missing, and measure."""
    options = argparse.ArgumentParser(prog="python -m bench.leaderboards", description=__doc__)
    options.add_argument("--again", action="store_true", help="make the database anew")
    options.add_argument("--requests", type=int, default=300, help="of each kind")
    options.add_argument("--cold", action="store_true", help="have boards of days made too")
    chosen = options.parse_args()
    if chosen.again:
        shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(parents=True, exist_ok=True)
    with embedded.servers(HOME / "servers", durable=False) as pair:
        pair.postgres.buffers = _BUFFERS
        pair.start()
        _environment(pair)
        _fill()
        _read_once()
        print(f"{machine()}, load {os.getloadavg()[0]:.1f}", flush=True)
        _print_statements(chosen.requests)
        with _served() as address:
            measure(address, chosen.requests, cold=chosen.cold)
        print(f"load {os.getloadavg()[0]:.1f}")


def _read_once() -> None:
    """Read the tables behind the boards once, so that they are cached as on a server in use."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        for column, table in (("mu", "standing"), ("name", "player"), ("mu", "boardline")):
            cursor.execute(f"SELECT max({column}) FROM games_{table}")  # noqa: S608
        cursor.execute("SET enable_seqscan = off")
        cursor.execute("SELECT count(*) FROM games_standing WHERE ladder_id > 0 AND value < 1e9")
        cursor.execute("SELECT count(*) FROM games_player WHERE id > 0")
        cursor.execute("RESET enable_seqscan")


def _print_statements(count: int) -> None:
    from bench.statements import measure as statements  # noqa: PLC0415

    for line in statements(count):
        print(line, flush=True)


def _environment(pair: embedded.Pair) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "atta_site.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "127.0.0.1",
        "PLAIN_HTTP": "1",
        "DATABASE_URL": pair.postgres.url,
        "CELERY_BROKER_URL": pair.valkey.url,
        "STATIC_ROOT": str(HOME / "static"),
        "LOG_LEVEL": "WARNING",
        "THROTTLE_ANON": "1000000/minute",
    }
    import django  # noqa: PLC0415 (the environment comes first)

    django.setup()


def _fill() -> None:
    from django.core.management import call_command  # noqa: PLC0415

    from bench import ladder_rows  # noqa: PLC0415
    from games.models import Ladder  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", "--noinput", verbosity=0)
    if (HOME / "whole").exists():
        say("the database is there")
        return
    ladder_rows.generate(say)
    board = _made(Ladder.objects.get(), date(2026, 10, 31))
    ladder_rows.stand(board, say)
    (HOME / "whole").touch()


def _made(ladder: object, day: date) -> int:
    from django.utils import timezone  # noqa: PLC0415

    from games.ladders import snapshots  # noqa: PLC0415

    begun = perf_counter()
    board = snapshots.board_as_of(ladder, day, now=timezone.now())  # type: ignore[arg-type]
    made = snapshots.make(board, now=timezone.now())
    say(f"as of {day}, cold: made in {perf_counter() - begun:.1f} s, {made.players:,} players, {made.games:,} games")
    return made.pk


@contextmanager
def _served() -> Iterator[str]:
    port = processes.free_port()
    with (HOME / "web.log").open("ab") as log:
        process = processes.spawn(processes.web("127.0.0.1", port, workers=1), log.fileno(), env=dict(os.environ))
        try:
            while not processes.is_healthy(f"http://127.0.0.1:{port}"):
                sleep(0.1)
            yield f"127.0.0.1:{port}"
        finally:
            processes.end(process)


def _get(connection: http.client.HTTPConnection, path: str) -> bytes:
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status}\n{body[-2000:]!r}")
    return body


def measure(address: str, count: int, *, cold: bool) -> None:
    """Request every kind of page many times, and print how long the answers took."""
    from django.db.models import Max  # noqa: PLC0415

    from games.models import Ladder, LeaderboardSnapshot, Player, Standing  # noqa: PLC0415

    ladder = Ladder.objects.get()
    say(f"{ladder.players:,} players, {ladder.games:,} games")
    random = Random(1)
    last = Player.objects.aggregate(last=Max("pk"))["last"]
    ladder_values = list(
        Standing.objects.filter(player__in=random.sample(range(1, last), count)).only("player", "value")
    )
    marks = [f"{line.value!r}_{line.player_id}" for line in ladder_values]
    players = [line.player_id for line in ladder_values]
    if cold or not LeaderboardSnapshot.objects.exclude(made_at=None).exists():
        for day in (date(2026, 6, 30), date(2025, 6, 30), date(2026, 5, 31)):
            _made(ladder, day)
    kinds: dict[str, Callable[[int], str]] = {
        "first page": lambda _: BOARD,
        "deep page": lambda n: f"{BOARD}?after={marks[n % len(marks)]}",
        "around a player": lambda n: f"{BOARD}?around={players[n % len(players)]}",
        "active in 365 days, deep": lambda n: f"{BOARD}?active=365&after={marks[n % len(marks)]}",
        "as of a day, kept": lambda n: f"{BOARD}?as_of=2026-06-30&after={n * 3000}",
        "as of a day, around": lambda n: f"{BOARD}?as_of=2025-06-30&around={_there(n)}",
        "first page, API": lambda _: API,
        "deep page, API": lambda n: f"{API}?after={marks[n % len(marks)]}",
        "player's page": lambda n: f"/players/{players[n % len(players)]}/",
    }
    oldest = LeaderboardSnapshot.objects.earliest("upto")
    there = list(oldest.lines.order_by("line").values_list("player", flat=True)[:count])

    def _there(n: int) -> int:
        return int(there[n % len(there)])

    print(f"{'':<28}{'p50':>8}{'p90':>8}{'p99':>8}  ms")
    for name, path in kinds.items():
        print(f"{name:<28}{_row(_times(address, path, count))}", flush=True)


def _times(address: str, path: Callable[[int], str], count: int) -> list[float]:
    connection = http.client.HTTPConnection(address, timeout=120)
    for n in range(10):
        _get(connection, path(n))
    times = []
    for n in range(count):
        begun = perf_counter()
        _get(connection, path(n))
        times.append((perf_counter() - begun) * 1000)
    return times


def _row(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return f"{cuts[49]:8.1f}{cuts[89]:8.1f}{cuts[98]:8.1f}"


if __name__ == "__main__":
    main()
