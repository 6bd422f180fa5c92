"""Measures how long it takes to find the games that reached a position, beside a plain scan, and what the index takes.

`python -m bench.positions_found --games 1000000` makes up games of 121 positions, in runs of every size, as they
are just before some are merged. One in a hundred games reached a common position.
"""

import argparse
import os
import statistics
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter

from bench.__main__ import machine
from bench.site import database

POSITIONS = 121
COMMON = 12_345
EVERY = 100
"""Of so many games one reached the common position."""
TOGETHER = 8
_BITS = 44
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


def _sizes(games: int) -> list[int]:
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
    sizes = _sizes(games)
    _make(sizes, random, rare)
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {sum(sizes):,} games in {len(sizes)} runs", flush=True)
    print(f"index: {_index_size() / sum(sizes):,.0f} bytes a game of {POSITIONS} positions")
    print("milliseconds               p50       p99")
    absent = iter(lambda: random.getrandbits(_BITS), -1)
    for name, numbers in (("rare", iter(lambda: random.choice(rare), -1)), ("absent", absent)):
        print(_row(name, (_timed(_find, next(numbers)) for _ in range(requests))), flush=True)
    print(_row("common", (_timed(_find, COMMON) for _ in range(requests))))
    for name, number in (("rare", random.choice(rare)), ("common", COMMON)):
        print(_row(f"plain scan, {name}", (_timed(_scan, number) for _ in range(_SCANS))), flush=True)


def _make(sizes: list[int], random: Random, rare: list[int]) -> None:
    """Add made-up games, and a plain table of all their positions."""
    from django.db import connection  # noqa: PLC0415

    from games.search.indexing import add_blocks, add_run  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE plain (game bigint, numbers bigint[])")
    game = 0
    for size in sizes:
        pairs = list[tuple[int, int]]()
        for _ in range(size):
            game += 1
            numbers = [random.getrandbits(_BITS) for _ in range(POSITIONS - 1)]
            numbers.append(random.getrandbits(_BITS) if game % EVERY else COMMON)
            pairs += [(number, game) for number in numbers]
            if random.random() < requests_share(len(rare)):
                rare.append(numbers[0])
        _copy_plain(pairs)
        add_blocks(add_run(size), sorted(pairs))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE games_positionblock")
        cursor.execute("VACUUM ANALYZE plain")


def requests_share(known: int) -> float:
    """Return how likely a game's position is kept to be asked for."""
    return 1.0 if known < 100 else 0.01


def _copy_plain(pairs: list[tuple[int, int]]) -> None:
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor, cursor.copy("COPY plain FROM STDIN") as copy:
        for begin in range(0, len(pairs), POSITIONS):
            held = pairs[begin : begin + POSITIONS]
            copy.write_row((held[0][1], [number for number, _ in held]))


def _index_size() -> int:
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size('games_positionblock')")
        return int(cursor.fetchone()[0])


def _find(number: int) -> object:
    from games.search.reads.index import games_that_reached  # noqa: PLC0415

    return games_that_reached(number, lambda games: games)


def _scan(number: int) -> list[int]:
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("SELECT game FROM plain WHERE %s = ANY(numbers)", [number])
        return [game for (game,) in cursor]


def _timed(ask: Callable[[int], object], number: int) -> float:
    begun = perf_counter()
    ask(number)
    return 1000 * (perf_counter() - begun)


def _row(name: str, times: Iterator[float]) -> str:
    cuts = statistics.quantiles(times, n=_PERCENT)
    return f"{name:<20}{cuts[49]:>10.1f}{cuts[98]:>10.1f}"


if __name__ == "__main__":
    main()
