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
from engine.positions import BITS
from engine.replay import COMPILED, Replay
from engine.replay.openings import opening_of
from engine.replay.positions import position_numbers
from engine.replay.tokens import token_cache
from engine.verify import replay_of_legal, verify, verify_bytes
from games.search.reads.blocks import Pairs, joined, packed

BATCH = 250
"""Games that are indexed together, as the worker does."""
RUNS = 8
"""Runs that are merged into one."""
_MIRRORED = 2
"""Symmetries of a game that keeps a sum for each."""
Result = TypeVar("Result")
PARTS = ("verify", "play again", "number", "opening", "sort", "pack", "all but verify", "merge")
WITHIN = ("read tokens", "play at once", "along", "after leaving", "least")
"""Parts of numbering: `along` plays step by step and keeps the numbers; `after leaving` is the position in which a seat
has left, as at the end of most of these games; `least` is what `along` spends on the least sum of all symmetries."""


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
        print(line(slug, plies, (*spent[:-1], sum(spent[1:-1]), spent[-1])), flush=True)
    print(f"of numbering{'':<16}{''.join(f'{part:>15}' for part in WITHIN)}")
    for slug in SOURCES:
        replays = [*filter(None, map(replay_of_legal, legal_records(slug)))]
        spent = [min(times) for times in zip(*(within(replays) for _ in range(chosen.rounds)), strict=True)]
        print(line(slug, 0, spent), flush=True)


def line(slug: str, plies: float, spent: Iterable[float]) -> str:
    """Return a line of a table; what is not measured is left out."""
    figures = "".join(f"{time:>15.0f}" if time else f"{'':>15}" for time in spent)
    return f"{slug:<20}{f'{plies:.0f}' if plies else '':>8}{figures}"


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
    of_runs = ({game: reached[game] for game in reached if game % RUNS == run} for run in range(RUNS))
    runs = [[*packed(Pairs.of_games(some))] for some in of_runs]
    timed(times, lambda: merged(runs))
    return tuple(1e6 * time / len(records) for time in times)


def merged(runs: Iterable[Iterable[tuple[int, bytes]]]) -> list[tuple[int, bytes]]:
    """Return the blocks of one run that has the pairs of several, as merging makes them without the database."""
    every = range(1 << BITS)
    pairs = {pair for blocks in runs for first, data in blocks for pair in joined(first, data, every)}
    return [*packed(Pairs.of_joined(sorted(pairs)))]


def within(replays: Sequence[Replay[Any, Any]]) -> tuple[float, ...]:
    """Return the microseconds a game of each part of numbering."""
    times, ruleset = list[float](), replays[0].ruleset
    known, parts = token_cache(ruleset.parse_action, ruleset.step), ruleset.positions
    numbered: Callable[..., object] = parts.along or (lambda *_: None)  # every game of the bench has it
    steps = timed(times, lambda: [known.read(replay.actions) for replay in replays])
    games = [(replay.start, played) for replay, played in zip(replays, steps, strict=True)]
    timed(times, lambda: [ruleset.play(start, played) for start, played in games])
    timed(times, lambda: [numbered(start, played, None) for start, played in games])
    timed(times, lambda: [numbered(replay.last, (), None) for replay in replays])
    if parts.views is None and len(parts.weights.symmetries) > _MIRRORED:
        sums = [[sum(map(parts.weights.__getitem__, parts.marks(start)))] * len(played) for start, played in games]
        timed(times, lambda: [parts.weights.numbers(some, [0] * len(some)) for some in sums])
    else:
        times.append(0)
    return tuple(1e6 * time / len(replays) for time in times)


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
