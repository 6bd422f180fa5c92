"""Measures how long it takes to find the games that reached a position, beside a plain scan, and what the index takes.

`python -m bench.positions_found --games 1000000` makes up games of 121 positions, in runs of every size, as they
are just before some are merged. One in a hundred games reached a common position.
"""

import argparse
import os
import statistics
from collections.abc import Callable, Iterable
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench.__main__ import machine
from bench.site import database

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

POSITIONS = 121
COMMON = 12_345
EVERY = 100
"""Of so many games one reached the common position."""
TOGETHER = 8
_BITS = 44
_PARTS = 60
"""Of the range of numbers, made one after another, so that a million games need little memory; two numbers of each."""
_WIDTH = 38
"""Bits of a number within a part."""
_PLAIN = """
CREATE TABLE plain AS SELECT game, array_append(
    ARRAY(SELECT (random() * 17592186044415)::bigint + 0 * game FROM generate_series(1, %(others)s)),
    CASE WHEN game %% %(every)s = 0 THEN %(common)s ELSE -game END) AS numbers
FROM generate_series(1::bigint, %(games)s) AS game
"""
_BEGUN = perf_counter()
_PERCENT = 100
_SCANS = 5


def main() -> None:
    """Make the index and measure."""
    options = argparse.ArgumentParser(prog="python -m bench.positions_found", description=__doc__)
    options.add_argument("--games", type=int, default=1_000_000)
    options.add_argument("--requests", type=int, default=500, help="of each kind")
    chosen = options.parse_args()
    with database():
        from django.core.management import call_command  # noqa: PLC0415 (the environment comes first)

        call_command("migrate", verbosity=0)
        _measure(chosen.games, chosen.requests)


def sizes_of_runs(games: int) -> list[int]:
    """Return how many games each run has, seven runs of a size at the most, the largest first."""
    sizes, size = list[int](), TOGETHER
    while size * TOGETHER <= games:
        size *= TOGETHER
    while games and size:
        count = min(games // size, TOGETHER - 1 if size > 1 else games)
        sizes += [size] * count
        games, size = games - size * count, size // TOGETHER
    return sizes


def _measure(games: int, requests: int) -> None:
    random, rare = Random(1), list[int]()
    sizes = sizes_of_runs(games)
    _make(sizes, random, rare)
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {sum(sizes):,} games in {len(sizes)} runs", flush=True)
    print(f"index: {_index_size() / sum(sizes):,.0f} bytes a game of {POSITIONS} positions")
    print("milliseconds               p50       p99")
    absent = iter(lambda: random.getrandbits(_BITS), -1)
    for name, numbers in (("rare", iter(lambda: random.choice(rare), -1)), ("absent", absent)):
        print(row(name, (timed(_find, next(numbers)) for _ in range(requests))), flush=True)
    print(row("common", (timed(_find, COMMON) for _ in range(requests))))
    for name, number in (("rare", random.choice(rare)), ("common", COMMON)):
        print(row(f"plain scan, {name}", (timed(_scan, number) for _ in range(_SCANS))), flush=True)


def _make(sizes: list[int], random: Random, rare: list[int]) -> None:
    """Add made-up games, and a plain table of as many numbers."""
    from games.search.indexing import add_blocks, add_run  # noqa: PLC0415
    from tests.games.search.columns import in_columns  # noqa: PLC0415

    first = 1
    for size in sizes:
        games, run = range(first, first + size), add_run(size)
        first += size
        for part in range(_PARTS):
            begin = part << _WIDTH
            pairs = [(begin + random.getrandbits(_WIDTH), game) for _ in range(2) for game in games]
            rare += [number for number, _ in pairs[:2]]
            if part == 0:
                pairs += [(random.getrandbits(_WIDTH) if game % EVERY else COMMON, game) for game in games]
            add_blocks(run, in_columns(sorted(pairs)))
        print(f"{first - 1:,} games after {perf_counter() - _BEGUN:.0f} s", flush=True)
    with _connection().cursor() as cursor:
        cursor.execute(_PLAIN, {"games": first - 1, "common": COMMON, "every": EVERY, "others": POSITIONS - 1})
        cursor.execute("VACUUM ANALYZE games_positionblock")
        cursor.execute("VACUUM ANALYZE plain")


def _connection() -> "BaseDatabaseWrapper":
    """Return the connection: Django is set up by the time it is used."""
    from django.db import connection  # noqa: PLC0415

    return connection


def _index_size() -> int:
    with _connection().cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size('games_positionblock')")
        return int(cursor.fetchone()[0])


def _find(number: int) -> object:
    from games.search.reads.index import games_that_reached  # noqa: PLC0415

    return games_that_reached(number, lambda games: games)


def _scan(number: int) -> list[int]:
    with _connection().cursor() as cursor:
        cursor.execute("SELECT game FROM plain WHERE %s = ANY(numbers)", [number])
        return [game for (game,) in cursor]


def timed(ask: Callable[[Any], object], wanted: object) -> float:
    """Return how many milliseconds an answer takes."""
    begun = perf_counter()
    ask(wanted)
    return 1000 * (perf_counter() - begun)


def row(name: str, times: Iterable[float], *, width: int = 20) -> str:
    """Return a line with the median and the 99th percentile of some times."""
    cuts = statistics.quantiles(times, n=_PERCENT)
    return f"{name:<{width}}{cuts[49]:>10.1f}{cuts[98]:>10.1f}"


if __name__ == "__main__":
    main()
