"""Games that bots play, once and on all cores, kept in var/bench: the source of a million distinct games."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.club_players import games as atta_games
from engine.agn.canonical import format_tags
from engine.agn.known_tags import SETUP_TAGS
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.replay import Replay
from engine.ruleset import Termination
from engine.verify import ENGINE_VERSION, VERIFIED, verify_bytes
from tests.engine.ant_trails.bots import game as trails_game
from tests.engine.army_ants.bots import game as army_game

KEPT = Path(__file__).resolve().parents[1] / "var" / "bench"
"""What is made once."""
PLAYERS = ("Ada", "Bruno", "Cleo", "Dora", "Emil", "Flora", "Gustav", "Hedda")
TRAILS_STYLES = ("random,random", "collector,builder", "random,collector", "looper,random")
BATCH = 10
"""Games in a file."""
ENDINGS = 75
"""Each can end in so many ways at least."""
_TRIES = 50
_SEEDS = 1_000_000
"""How far it is from a game's seed to the next that is tried for it."""
_BEFORE = ("Game", "Rules", "Seats")
FROM = 0.6
"""After this part of a game somebody may give it up."""


class Cut(NamedTuple):
    """A place where a game may end early."""

    at: int
    """Characters of the moves before it."""
    leaving: str
    """Who gives up there, one after another, by letter: all but one."""
    result: str


class Played(NamedTuple):
    """A game that was played to its end."""

    before: str
    """The tags before the players' names."""
    seats: list[str]
    """The tags with the players' names."""
    after: str
    """The tags of how the game began."""
    moves: str
    """As they are written canonically, without the result."""
    result: str
    kinds: int
    """In how many ways it may be given up at each cut: somebody resigns or runs out of time, two agree to a draw."""
    cuts: list[Cut]
    broken: tuple[int, int, str]
    """What is illegal, and from where to where it replaces what was played: before the first cut."""

    @property
    def ways(self) -> int:
        """Return in how many ways the game can end."""
        return 1 + len(self.cuts) * self.kinds


def _atta_ants(edition: int, seed: int) -> str:
    return next(atta_games(1, seed, PLAYERS, ATTA_ANTS[edition], Date="2026.11.21"))


SOURCES: Mapping[str, Callable[[int], str]] = {
    "atta-ants-online": lambda seed: _atta_ants(0, seed),
    "atta-ants-2003": lambda seed: _atta_ants(1, seed),
    "ant-trails-2020": lambda seed: trails_game(TRAILS_STYLES[seed % len(TRAILS_STYLES)], seed).text(),
    "army-ants": lambda seed: army_game("random,random", seed).text(),
}
"""A whole game of each ruleset, by its seed."""


def play(wanted: Mapping[str, int], folder: Path = KEPT / "played") -> dict[str, list[Played]]:
    """Return so many games of each ruleset; those kept from earlier runs are not played again."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {slug: [_file(folder, slug, first) for first in range(0, games, BATCH)] for slug, games in wanted.items()}
    missing = [path for paths in files.values() for path in paths if not path.exists()]
    if missing:
        print(f"playing {len(missing) * BATCH:,} games, once, into {folder} ...", flush=True)
    with ProcessPoolExecutor() as pool:
        list(pool.map(_play_batch, missing))
    return {slug: [game for path in paths for game in _read(path)][: wanted[slug]] for slug, paths in files.items()}


def _file(folder: Path, slug: str, first: int) -> Path:
    return folder / f"{slug}_{ENGINE_VERSION}_{first:06}.jsonl"


def _play_batch(path: Path) -> None:
    slug, _, first = path.stem.split("_")
    seeds = range(int(first), int(first) + BATCH)
    beside = path.with_suffix(".part")
    beside.write_text("".join(f"{json.dumps(_one(slug, seed))}\n" for seed in seeds))
    beside.replace(path)


def _read(path: Path) -> Iterator[Played]:
    for line in path.read_text().splitlines():
        game = Played(*json.loads(line))
        yield game._replace(cuts=[Cut(*cut) for cut in game.cuts])


def _one(slug: str, seed: int) -> Played:
    """Return the first usable game from some seeds: very short games are not typical."""
    tried = (_played(slug, one) for one in count(seed, _SEEDS))
    return next(game for game in tried if game)


def _played(slug: str, seed: int) -> Played | None:
    """Return a game; None if there are too few ways to end it, or to break it."""
    (verdict,) = verify_bytes(SOURCES[slug](seed).encode())
    played = verdict.replay
    if verdict.verdict != VERIFIED or played is None:
        raise SystemExit(f"the game of {slug} with seed {seed} is {verdict.verdict}")
    seats = [played.ruleset.seat(letter).tag for letter in played.tags["Seats"].split(" ")]
    moves = played.movetext.removesuffix(f"{played.result}\n")
    starts = _starts(moves, played.actions)
    first = int(FROM * len(starts))
    # Not before the last action, which may be an agreed draw.
    cuts = [_cut(played, ply, starts[ply]) for ply in range(first, len(starts) - 1)]
    kinds = 2 ** min([len(cut.leaving) for cut in cuts], default=0) + (len(seats) == 2)
    before, after = _tags(played, _BEFORE), _tags(played, SETUP_TAGS)
    game = Played(before, seats, after, moves, played.result, kinds, cuts, (0, 0, ""))
    broken = _broken(played, moves, starts[:first], Random(seed)) if game.ways >= ENDINGS else None
    return game._replace(broken=broken) if broken else None


def _tags(played: Replay[Any, Any], names: Iterable[str]) -> str:
    return format_tags({name: played.tags[name] for name in names if name in played.tags})


def _starts(moves: str, actions: tuple[str, ...]) -> list[int]:
    """Return where in the movetext each action begins."""
    starts, at = list[int](), 0
    for action in actions:
        at = next(_places(moves, action, at))
        starts.append(at)
        at += len(action)
    return starts


def _places(moves: str, action: str, at: int) -> Iterator[int]:
    """Return where an action is found as a whole token, from some place on."""
    while (at := moves.index(action, at)) >= 0:
        if moves[at - 1] in " \n" and moves[at + len(action)] in " \n":
            yield at
        at += 1


def _cut(played: Replay[Any, Any], ply: int, at: int) -> Cut:
    state, leaving = played.states[ply], ""
    while (outcome := played.ruleset.outcome(state)) is None:
        letter = str(played.ruleset.to_act(state))
        leaving += letter
        state = played.ruleset.leave(state, letter, Termination.RESIGNED)
    return Cut(at, leaving, "-".join(map(str, outcome.placements)))


def _broken(played: Replay[Any, Any], moves: str, starts: list[int], random: Random) -> tuple[int, int, str] | None:
    """Return another action of the game that is illegal in this place; None if none is found quickly."""
    head = played.text().partition(moves)[0]
    for _ in range(_TRIES):
        ply, other = random.randrange(len(starts)), random.choice(played.actions)
        begin, end = starts[ply], starts[ply] + len(played.actions[ply])
        (verdict,) = verify_bytes(f"{head}{moves[:begin]}{other}\n{played.result}\n".encode())
        if verdict.fault and (verdict.fault.ply, verdict.fault.token) == (ply, other):
            return begin, end, other
    return None
