"""Makes any number of distinct games of realistic length, one in twenty broken, from bots' games that end at any point.

No two are the same game, even without names and dates: each ends at another place or in another way. What is legal was
found when the games were played, so writing one takes only microseconds.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from bench.played import Cut, Played, play
from engine.agn.administrative import LEAVING

BROKEN = 20
"""One game of so many is broken."""
PEOPLE = 100_000
"""Who plays: some often, most seldom."""
PLAYED = 200
"""Games of each kind of which others are made, where fifteen thousand of a kind are enough."""
_SITE = "Casa Formica"
_STRIDE = 7919
"""A prime number greater than any game's ways to end: so many ways farther, each of them comes once."""
_WAYS = tuple(LEAVING)


class SampleRecord(NamedTuple):
    """A record with its verdict."""

    data: bytes
    broken: bool
    seats: int
    sameness: str
    """What of a game that is not broken makes it the same as another."""


def different_games(slug: str, played: int = PLAYED) -> Iterator[bytes]:
    """Yield different games of a ruleset."""
    return (record.data for record in records(slug, play({slug: played})[slug]))


def records(slug: str, played: Sequence[Played]) -> Iterator[SampleRecord]:
    """Yield all records that can be made of some games, one in twenty broken."""
    random = Random(slug)
    whole, broken = _whole(played, random), (_broken(game, random) for game in cycle(played))
    while some := list(islice(whole, BROKEN - 1)):
        yield next(broken)
        yield from some


def _whole(played: Sequence[Played], random: Random) -> Iterator[SampleRecord]:
    """Yield all ways in which some games can end: one way for each game, then another way for each, and so on."""
    for turn in range(max(game.ways for game in played)):
        for number, game in enumerate(played):
            if turn < game.ways:
                yield _ended(game, (turn * _STRIDE + number) % game.ways, random)


def _ended(game: Played, way: int, random: Random) -> SampleRecord:
    if way == 0:
        return _sample_record(game, game.moves, game.result, random)
    at, kind = divmod(way - 1, game.kinds)
    ending, result = _leaving(game.cuts[at], kind)
    return _sample_record(game, f"{game.moves[: game.cuts[at].at]}{ending}\n", result, random)


def _leaving(cut: Cut, kind: int) -> tuple[str, str]:
    """Return a game's last tokens and its result. Each bit of a kind: how one seat leaves; one bit more: a draw."""
    if kind >> len(cut.leaving):
        return "draw", "1-1"
    return " ".join(f"{_WAYS[kind >> at & 1]}:{letter}" for at, letter in enumerate(cut.leaving)), cut.result


def _broken(game: Played, random: Random) -> SampleRecord:
    begin, end, other = game.broken
    cut = random.choice(game.cuts)
    ending, result = _leaving(cut, 0)
    moves = f"{game.moves[:begin]}{other}{game.moves[end : cut.at]}{ending}\n"
    return _sample_record(game, moves, result, random)._replace(broken=True)


def _sample_record(game: Played, moves: str, result: str, random: Random) -> SampleRecord:
    people = _people(len(game.seats), random)
    names = "".join([f'[{tag} "Player {one:06}"]\n' for tag, one in zip(game.seats, people, strict=True)])
    date = f"2026.{random.randint(1, 11):02}.{random.randint(1, 28):02}"
    head = f'{game.before}{names}[Site "{_SITE}"]\n[Date "{date}"]\n{game.after}[Result "{result}"]\n'
    same = f"{game.before}{game.after}{moves}{result}"
    return SampleRecord(f"{head}\n{moves}{result}\n".encode(), broken=False, seats=len(game.seats), sameness=same)


def _people(seats: int, random: Random) -> set[int]:
    people = set[int]()
    while len(people) < seats:
        people.add(int(PEOPLE * random.random() ** 3))
    return people
