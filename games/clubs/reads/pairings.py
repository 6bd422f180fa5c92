"""Who meets whom: tables of two to four seats, round by round. Pure: no database, no chance.

With two at a table, a round-robin uses the circle method: one player stays, the others move on one seat each round.
With three or four at a table exact meetings are not possible in general, so each round seats together those who have
met least, until everybody has met everybody. A Swiss round pairs neighbours in the standings, and repeats a meeting
only if no other pairing is found.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

SEATS = range(2, 5)
_STEPS = 20_000
"""Tried for a Swiss round without a repeat; then the fewest repeats that come first are taken."""
Pair = frozenset[int]


@dataclass(frozen=True, slots=True)
class Round:
    """The tables of a round, each with the players who sit there, and who has a bye."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


def round_robin(players: Sequence[int], seats: int) -> list[Round]:
    """Return the rounds in which everybody meets everybody: exactly once with two seats, at least once with more."""
    return _circle(list(players)) if seats == SEATS.start else _until_all_met(list(players), seats)


def _circle(players: list[int]) -> list[Round]:
    ring: list[int | None] = [*players, *([None] if len(players) % 2 else [])]
    rounds, half = [], len(ring) // 2
    for number in range(max(len(ring) - 1, 0)):
        pairs = list(zip(ring[:half], reversed(ring[half:]), strict=True))
        tables = [(one, two) for one, two in pairs if one is not None and two is not None]
        # The first seat alternates; otherwise the player who stays would always have it.
        turned = tuple((two, one) if (number + place) % 2 else (one, two) for place, (one, two) in enumerate(tables))
        rounds.append(Round(turned, tuple(one or two or 0 for one, two in pairs if one is None or two is None)))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds


def _until_all_met(players: list[int], seats: int) -> list[Round]:
    met, rounds = Counter[Pair](), list[Round]()
    wanted = {frozenset(pair) for pair in combinations(players, 2)}
    while wanted - met.keys():
        unmet = Counter(player for pair in wanted - met.keys() for player in pair)
        order = sorted(players, key=lambda player: (-unmet[player], players.index(player)))
        rounds.append(Round(_seated(order, seats, met)))
        met.update(meetings(rounds[-1:]))
    return rounds


def swiss_round(standings: Sequence[int], before: Iterable[Round], seats: int) -> Round:
    """Return the next round: each player meets close neighbours in the standings whom they have met least.

    With two seats and an odd number of players, the lowest-placed player with the fewest byes has a bye.
    """
    rounds = list(before)
    met, byes = meetings(rounds), Counter(player for one in rounds for player in one.byes)
    order, resting = list(standings), tuple[int, ...]()
    if seats == SEATS.start and len(order) % 2:
        fewest = min(byes[player] for player in order)
        resting = (next(player for player in reversed(order) if byes[player] == fewest),)
        order.remove(resting[0])
    if seats == SEATS.start and (pairs := _without_repeats(order, met)) is not None:
        return Round(pairs, resting)
    return Round(_seated(order, seats, met), resting)


def _without_repeats(order: Sequence[int], met: Counter[Pair]) -> tuple[tuple[int, ...], ...] | None:
    """Return pairs of players who have not met, in the order of the standings; none if the limit is reached."""
    steps = iter(range(_STEPS))

    def pairs(left: list[int]) -> list[tuple[int, ...]] | None:
        if not left:
            return []
        first, *others = left
        for other in others:
            if met[frozenset((first, other))] or next(steps, None) is None:
                continue
            rest = pairs([one for one in others if one != other])
            if rest is not None:
                return [(first, other), *rest]
        return None

    found = pairs(list(order))
    return None if found is None else tuple(found)


def _seated(order: Sequence[int], seats: int, met: Counter[Pair]) -> tuple[tuple[int, ...], ...]:
    """Return tables filled one after another: with those who have met the players there least, then by the order."""
    left, tables = list(order), list[tuple[int, ...]]()
    for size in _sizes(len(left), seats):
        table = [left.pop(0)]
        while len(table) < size:
            times = [sum(met[frozenset((player, other))] for other in table) for player in left]
            table.append(left.pop(times.index(min(times))))
        tables.append(tuple(table))
    return tuple(tables)


def _sizes(players: int, seats: int) -> list[int]:
    """Return the sizes of tables, which differ by at most one."""
    tables = -(-players // seats)
    return [players // tables + (number < players % tables) for number in range(tables)] if tables else []


def meetings(rounds: Iterable[Round]) -> Counter[Pair]:
    """Return how often each two players have met."""
    tables = [table for one in rounds for table in one.tables]
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
