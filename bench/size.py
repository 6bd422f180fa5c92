"""Measures the bytes that a game takes in the database, by table and column, and the time to pack its record.

`python -m bench.size --games 10000` uploads games of each kind for a club, waits until all are rated, and measures.
"""

import argparse
from collections.abc import Callable
from itertools import islice
from statistics import mean
from time import process_time

from bench.distinct import different_games
from bench.played import SOURCES
from bench.site import site as whole_site
from bench.through_worker import take
from games.packing import pack, unpack

TABLES = (
    "games_movelog", "games_game", "games_seating", "games_verdict", "games_acceptance", "games_ratingevent",
    "games_upload", "games_verdictcount",
)  # fmt: skip
COLUMNS = {"data": "the record as sent", "text": "the canonical text"}


def main() -> None:
    """Take the figures and print them."""
    options = argparse.ArgumentParser(prog="python -m bench.size", description=__doc__)
    options.add_argument("--games", type=int, default=10_000, help="of each kind")
    options.add_argument("--only", choices=tuple(SOURCES), action="append", help="rulesets")
    chosen = options.parse_args()
    with whole_site() as site:
        for slug in chosen.only or tuple(SOURCES):
            before = _weights()
            take(site, list(islice(different_games(slug), chosen.games)))
            after = _weights()
            print(f"{slug}: bytes a game, of {chosen.games}")
            for table in TABLES:
                live, heap, indexes = ((after[table][at] - before[table][at]) / chosen.games for at in range(3))
                name = table.removeprefix("games_")
                print(f"  {name:<14}{live:>8,.0f} rows{heap:>8,.0f} with free space{indexes:>8,.0f} indexes")
            rows, all_of_it = _whole(before, after)
            print(
                f"  together {rows / chosen.games:,.0f} with indexes, {all_of_it / chosen.games:,.0f} with free space"
            )
            _columns(slug)


def _weights() -> dict[str, tuple[int, int, int]]:
    """Return for each table the bytes of its rows, of its pages (with room for later rows), and of its indexes."""
    from django.db import connection  # noqa: PLC0415 (the environment comes first)

    with connection.cursor() as cursor:
        cursor.execute("VACUUM (FREEZE, ANALYZE)")
        found = {}
        for table in TABLES:
            cursor.execute(
                "SELECT coalesce(sum(pg_column_size(kept.*)), 0), pg_table_size(%s), pg_indexes_size(%s)"  # noqa: S608
                f" FROM {table} AS kept",
                [table, table],
            )
            found[table] = cursor.fetchone()
    return found


def _whole(before: dict[str, tuple[int, int, int]], after: dict[str, tuple[int, int, int]]) -> tuple[int, int]:
    live, heap, indexes = (sum(after[table][at] - before[table][at] for table in TABLES) for at in range(3))
    return live + indexes, heap + indexes


def _columns(slug: str) -> None:
    """Print the length of records, plain and packed, and the time to pack and unpack one."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        for column, about in COLUMNS.items():
            cursor.execute(
                f"SELECT log.{column} FROM games_movelog AS log"  # noqa: S608
                " JOIN games_game AS game ON game.id = log.game_id"
                " WHERE game.ruleset = %s AND log.verdict <> 'rejected'",
                [slug],
            )
            frames = [bytes(frame) for (frame,) in cursor]
            unpacking, records = _timed(unpack, frames)
            packing, _ = _timed(pack, records)
            written, kept = (mean(map(len, each)) for each in (records, frames))
            print(
                f"  {about}: {written:,.0f} written, {kept:,.0f} kept; {packing:.1f} µs to pack,"
                f" {unpacking:.1f} µs to unpack"
            )


def _timed(work: Callable[[bytes], bytes], given: list[bytes]) -> tuple[float, list[bytes]]:
    """Return the results, and the CPU time of one call in microseconds."""
    begun = process_time()
    done = [work(one) for one in given]
    return 1e6 * (process_time() - begun) / len(given), done


if __name__ == "__main__":
    main()
