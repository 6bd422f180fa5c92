"""Makes games to measure the engine with: all different, of realistic length, one in twenty broken; always the same."""

from functools import cache
from itertools import islice
from typing import NamedTuple

from bench.distinct import different_games
from engine.verify import verify_bytes


class Corpus(NamedTuple):
    """A file of games."""

    data: bytes
    games: int
    plies: int
    """Actions up to the end of each game, or to its fault."""


@cache
def corpus(slug: str, games: int) -> Corpus:
    """Return so many games of a ruleset, as one file."""
    data = b"\n".join(islice(different_games(slug), games))
    verdicts = verify_bytes(data)
    plies = sum(verdict.plies or (verdict.fault and verdict.fault.ply) or 0 for verdict in verdicts)
    return Corpus(data, len(verdicts), plies)
