"""Measures what numbering the positions of a game costs beside verifying it, both in turn, in one process.

`python -m bench.numbering` prints microseconds a game: the least of many rounds, for the machine may be busy.
"""

import argparse
import os
from collections.abc import Callable, Sequence
from itertools import islice
from time import process_time
from typing import Any

from bench.__main__ import machine
from bench.distinct import different_games
from bench.played import SOURCES
from engine.replay import COMPILED, Replay
from engine.replay.positions import position_numbers
from engine.verify import verify_bytes


def main() -> None:
    """Measure every ruleset of the bench."""
    options = argparse.ArgumentParser(prog="python -m bench.numbering", description=__doc__)
    options.add_argument("--games", type=int, default=200, help="of each kind")
    options.add_argument("--rounds", type=int, default=15)
    chosen = options.parse_args()
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}, {'compiled' if COMPILED else 'plain'}")
    for slug in SOURCES:
        texts = list(islice(different_games(slug, played=40), chosen.games))
        replays = [verdict.replay for text in texts for verdict in verify_bytes(text) if verdict.replay]
        verifying, numbering = _measure(texts, replays, chosen.rounds)
        plies = sum(len(replay.actions) for replay in replays) / len(replays)
        print(f"{slug:<20}{plies:>6.0f} plies{verifying:>8.0f}{numbering:>8.0f}", flush=True)


def _measure(texts: Sequence[bytes], replays: Sequence[Replay[Any, Any]], rounds: int) -> tuple[float, float]:
    """Return the microseconds of verifying a game and of numbering its positions."""
    spent = [_spent(verify_bytes, texts), _spent(position_numbers, replays)]
    for _ in range(rounds):
        spent[0] = min(spent[0], _spent(verify_bytes, texts))
        spent[1] = min(spent[1], _spent(position_numbers, replays))
    return spent[0], spent[1]


def _spent(work: Callable[[Any], object], on: Sequence[object]) -> float:
    begun = process_time()
    for one in on:
        work(one)
    return 1e6 * (process_time() - begun) / len(on)


if __name__ == "__main__":
    main()
