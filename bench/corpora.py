"""Games to measure with: whole games of each kind, all different, one in twenty broken. The same ones every time."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import count, cycle, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.bots import games as atta_games
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.verify import REJECTED, verify_bytes
from tests.engine.ant_trails.bots import game as trails_game
from tests.engine.army_ants.bots import game as army_game

KEPT = Path(__file__).resolve().parents[1] / "var" / "bench"
"""Where the games stay, for it takes a minute to play them."""
PLAYERS = ("Ada", "Bruno", "Cleo", "Dora", "Emil", "Flora", "Gustav", "Hedda")
TRAILS_STYLES = ("random,random", "collector,builder", "random,collector", "looper,random")
BROKEN = 20
"""One game of so many is broken."""


class Corpus(NamedTuple):
    """A file of games."""

    data: bytes
    games: int
    plies: int
    """Actions up to the end of each game, or to its fault."""


def _atta_ants(edition: int) -> Iterator[str]:
    return (text for seed in count() for text in atta_games(1, seed, PLAYERS, ATTA_ANTS[edition], Date="2026.11.21"))


def _ant_trails() -> Iterator[str]:
    return (trails_game(styles, seed).text() for seed, styles in enumerate(cycle(TRAILS_STYLES)))


def _army_ants() -> Iterator[str]:
    return (army_game("random,random", seed).text() for seed in count())


SOURCES: Mapping[str, Callable[[], Iterator[str]]] = {
    "atta-ants-online": lambda: _atta_ants(0),
    "atta-ants-2003": lambda: _atta_ants(1),
    "ant-trails-2020": _ant_trails,
    "army-ants": _army_ants,
}


@cache
def corpus(slug: str, games: int) -> Corpus:
    """So many games of a ruleset, as one file."""
    path = KEPT / f"{slug}-{games}.agn"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(_some_broken(islice(SOURCES[slug](), games))))
    data = path.read_bytes()
    verdicts = verify_bytes(data)
    plies = sum(verdict.plies or (verdict.fault and verdict.fault.ply) or 0 for verdict in verdicts)
    return Corpus(data, len(verdicts), plies)


def _some_broken(texts: Iterator[str]) -> Iterator[str]:
    random = Random(20)
    for number, text in enumerate(texts):
        yield text if number % BROKEN else _broken(text, random)


def _broken(text: str, random: Random) -> str:
    """A game with one action replaced by another one of its own, so that it is no longer legal."""
    head, movetext = text.split("\n\n", 1)
    while True:
        words = [*re.finditer(r"[^\s.]+(?=\s)", movetext)][:-1]
        lost, other = random.sample(words, 2)
        broken = f"{head}\n\n{movetext[: lost.start()]}{other[0]}{movetext[lost.end() :]}"
        if verify_bytes(broken.encode())[0].verdict == REJECTED:
            return broken
