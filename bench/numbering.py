"""Measures what indexing a game costs beside verifying it, part by part in turn, in one process without a database.

`python -m bench.numbering` prints microseconds of CPU a game: the least of many rounds, for the machine may be busy.
"""

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from time import process_time
from typing import Any, TypeVar

from bench.__main__ import machine
from bench.distinct import different_games
from bench.played import SOURCES
from engine.agn.log import Record
from engine.openings import opening_numbers
from engine.replay import COMPILED, Replay
from engine.replay.openings import opening_of
from engine.replay.positions import position_numbers
from engine.verify import replay_of_legal, verify, verify_bytes
from games.search.reads.blocks import Pairs, packed

BATCH = 250
"""Games that are indexed together, as the worker does."""
Result = TypeVar("Result")
PARTS = ("verify", "play again", "number", "opening", "sort", "pack", "all but verify")


def main() -> None:
    """Measure every ruleset of the bench."""
    options = argparse.ArgumentParser(prog="python -m bench.numbering", description=__doc__)
    options.add_argument("--rounds", type=int, default=9)
    chosen = options.parse_args()
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}, {'compiled' if COMPILED else 'plain'}")
    print(f"{'':<20}{'plies':>8}{''.join(f'{part:>15}' for part in PARTS)}")
    for slug in SOURCES:
        records = legal_records(slug)
        spent = [min(times) for times in zip(*(parts(records) for _ in range(chosen.rounds)), strict=True)]
        plies = sum(verify(record).plies or 0 for record in records) / len(records)
        figures = "".join(f"{time:>15.0f}" for time in (*spent, sum(spent[1:])))
        print(f"{slug:<20}{plies:>8.0f}{figures}", flush=True)


def legal_records(slug: str) -> list[Record]:
    """Return different legal records of a ruleset."""
    verdicts = (verdict for text in different_games(slug, played=40) for verdict in verify_bytes(text))
    return list(islice((verdict.record for verdict in verdicts if verdict.digest), BATCH))


def parts(records: Sequence[Record]) -> tuple[float, ...]:
    """Return the microseconds a game of each part."""
    times = list[float]()
    timed(times, lambda: [verify(record) for record in records])
    replays: list[Replay[Any, Any]] = timed(times, lambda: [*filter(None, map(replay_of_legal, records))])
    numbers = timed(times, lambda: [set(position_numbers(replay)) for replay in replays])
    openings = timed(times, lambda: [opened(replay) for replay in replays])
    reached = {
        game: its.union(beginnings) for game, (its, beginnings) in enumerate(zip(numbers, openings, strict=True))
    }
    pairs = timed(times, lambda: Pairs.of_games(reached))
    timed(times, lambda: [*packed(pairs)])
    return tuple(1e6 * time / len(records) for time in times)


def opened(replay: Replay[Any, Any]) -> Iterable[int]:
    """Return the numbers of an opening."""
    return opening_numbers(replay.ruleset.slug, opening_of(replay))


def timed(times: list[float], work: Callable[[], Result]) -> Result:
    """Do some work and add its time. :returns: what it gives."""
    begun = process_time()
    found = work()
    times.append(process_time() - begun)
    return found


if __name__ == "__main__":
    main()
