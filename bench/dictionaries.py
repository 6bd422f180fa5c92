"""Trains the dictionaries for packing records: `python -m bench.dictionaries`. The games are the same every time.

For each ruleset without a dictionary, bots of all styles play under many names, with seeds that no benchmark uses; each
game is written in one of the ways in which people send games. `--again SLUG` makes another one for a ruleset, with the
next number: an existing file never changes, because rows in the database refer to it.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, cycle, islice, permutations
from random import Random
from typing import Any

from bench.club_players import games as atta_games
from engine.agn.canonical import order_tags
from engine.agn.lines import json_line
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.replay import Replay
from engine.verify import VERIFIED, verify_bytes
from games.packing import FOLDER, newest
from games.zstd import zstd
from tests.agn_text import format_text
from tests.engine.ant_trails.bots import STYLES as TRAILS_STYLES
from tests.engine.ant_trails.bots import game as trails_game
from tests.engine.army_ants.bots import STYLES as ARMY_STYLES
from tests.engine.army_ants.bots import game as army_game

SIZE = 16 * 1024
GAMES = 300
FIRST = 1_000_000
"""The first seed."""
_NAMES = """
Agnes Albert Amira Anton Bea Carla Chen David Elif Eva Felix Gita Hannah Hugo Ida Ines Ivan Jakob Jan Julia Kai Lara
Leo Lina Luis Maja Marie Max Mia Nadia Nils Noah Olga Oskar Paul Pia Rosa Samir Sofia Theo Tim Uta Yara Zoe
"""
NAMES = _NAMES.split()
SITES = ("https://boardgamearena.com", "https://example.org/games", "Casa Formica", "Berlin", "home", "?")


def _atta_ants(edition: int) -> Iterator[str]:
    seeds = count(FIRST)
    return (text for seed in seeds for text in atta_games(1, seed, tuple(NAMES), ATTA_ANTS[edition]))


def _by_style(play: Callable[[str, int], Any], styles: Mapping[str, Any]) -> Iterator[str]:
    pairs = cycle(permutations([*styles, "random"], 2))
    return (play(",".join(pair), seed).text() for seed, pair in zip(count(FIRST), pairs, strict=False))


SOURCES: Mapping[str, Callable[[], Iterator[str]]] = {
    "atta-ants-online": lambda: _atta_ants(0),
    "atta-ants-2003": lambda: _atta_ants(1),
    "ant-trails-2020": lambda: _by_style(trails_game, TRAILS_STYLES),
    "army-ants": lambda: _by_style(army_game, ARMY_STYLES),
    "army-ants-free": lambda: _by_style(partial(army_game, rules="free"), ARMY_STYLES),
}


def samples(slug: str, games: int = GAMES) -> Iterator[bytes]:
    """Yield records as users may send them: half canonical text, a quarter tokens without numbers, a quarter JSON."""
    random = Random(slug)
    ways = cycle((_canonical, _words, _canonical, _json))
    for text, way in zip(islice(SOURCES[slug](), games), ways, strict=False):
        verdict = verify_bytes(text.encode())[0]
        if verdict.replay and verdict.verdict == VERIFIED:
            played = verdict.replay
            yield way(played, _tags(played, random)).encode()


def _tags(played: Replay[Any, Any], random: Random) -> dict[str, str]:
    """Return the tags of a game as if others had played it elsewhere at another time; some are left out at random."""
    seats = [played.ruleset.seat(letter).tag for letter in played.tags["Seats"].split(" ")]
    kept = {name: value for name, value in played.tags.items() if name != "Annotator"}
    day = f"{random.randint(2015, 2026)}.{random.randint(1, 12):02}.{random.randint(1, 28):02}"
    more = {"Event": "Club evening", "Site": random.choice(SITES), "Date": day, "Round": str(random.randint(1, 9))}
    kept |= {name: value for name, value in more.items() if random.random() < 0.7}
    return order_tags({**kept, **dict(zip(seats, random.sample(NAMES, len(seats)), strict=True))}, seats)


def _canonical(played: Replay[Any, Any], tags: dict[str, str]) -> str:
    return format_text(tags, played.actions, played.numbers, {}, played.result)


def _words(played: Replay[Any, Any], tags: dict[str, str]) -> str:
    return format_text(tags, played.actions, [], {}, played.result)


def _json(played: Replay[Any, Any], tags: dict[str, str]) -> str:
    return json_line({**played.as_json(), "tags": tags})


def main() -> None:
    """Make the missing dictionaries, or the one asked for."""
    options = argparse.ArgumentParser(prog="python -m bench.dictionaries", description=__doc__)
    options.add_argument("--again", choices=tuple(SOURCES), action="append", default=[], help="one more for a ruleset")
    chosen = options.parse_args()
    known = newest()
    for slug in SOURCES:
        if slug not in known or slug in chosen.again:
            _make(slug)


def _make(slug: str) -> None:
    number = 1 + max((int(path.name.partition("-")[0]) for path in FOLDER.glob("*.zdict")), default=0)
    learnt = _numbered(zstd.train_dict(list(samples(slug)), SIZE), number)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{number}-{slug}.zdict").write_bytes(learnt.dict_content)
    print(f"{number}-{slug}: {len(learnt.dict_content):,} bytes")


def _numbered(words: zstd.ZstdDict, number: int) -> zstd.ZstdDict:
    """Return the dictionary under a small number, which takes one byte in every frame instead of four."""
    content = words.dict_content
    return zstd.ZstdDict(content[:4] + number.to_bytes(4, "little") + content[8:])


if __name__ == "__main__":
    main()
