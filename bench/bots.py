"""Measures how much better each strength of bot is than the next weaker one, in games of two with alternating seats."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from time import process_time
from typing import Any, NamedTuple

from bench.__main__ import machine, show
from engine.chance import Stream
from engine.dealing.deals import deal
from engine.registry import RULESETS, ruleset_by_slug
from engine.ruleset import Ruleset
from engine.searching import Search, Strength, choose

LONGEST = 1_000
"""Actions after which a game is broken off and counts as a draw. Draws are half a win."""
_LAID_BY_HAND = "atta-ants-2003"
_LAID = "atta-ants-online"


class Duel(NamedTuple):
    """The results of games between two strengths."""

    won: int
    lost: int
    games: int
    slowest: float
    """The longest that an action of the stronger one took, in seconds of CPU."""
    mean: float

    def __str__(self) -> str:
        drawn = self.games - self.won - self.lost
        return (
            f"won {self.won:>3} of {self.games}, drew {drawn:>2}: {100 * (self.won + drawn / 2) / self.games:3.0f}%; "
            f"an action {1000 * self.mean:5.1f} ms of CPU, the longest {1000 * self.slowest:5.1f} ms"
        )


def main() -> None:
    """Let the bots play, and print the results."""
    chosen = _options().parse_args()
    show(machine())
    for slug in chosen.only or [ruleset.slug for ruleset in RULESETS]:
        for weaker, stronger in pairwise(Strength):
            show(f"{slug:<18}{stronger:>10} against {weaker:<8}{duel(slug, (stronger, weaker), chosen)}")


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__)
    options.add_argument("--only", choices=[ruleset.slug for ruleset in RULESETS], action="append", help="rulesets")
    options.add_argument("--games", type=int, default=100, help="of each pair of strengths")
    options.add_argument("--nodes", type=int, default=20_000, help="positions that a search looks at, at the most")
    options.add_argument("--milliseconds", type=int, default=200, help="of CPU that a search takes, at the most")
    return options


def duel(slug: str, strengths: Sequence[Strength], chosen: argparse.Namespace) -> Duel:
    """Let two strengths play each other: every deal is played twice, and each strength begins once."""
    won = lost = 0
    took = list[float]()
    for number in range(chosen.games):
        begins = number % 2
        seated = strengths[::-1] if begins else strengths
        places = play(ruleset_by_slug(slug), seated, number // 2, chosen, strengths[0], took)
        if places is not None:
            ours, theirs = places[::-1] if begins else places
            won, lost = won + (ours < theirs), lost + (ours > theirs)
    return Duel(won, lost, chosen.games, max(took), sum(took) / len(took))


def play(
    ruleset: Ruleset[Any, Any], seated: Sequence[Strength], number: int, chosen: argparse.Namespace,
    timed: Strength, took: list[float],
) -> Sequence[int] | None:  # fmt: skip
    """Play a game and return the place of each seat; None if it was stopped."""
    tags, deck = dealt(ruleset, number)
    state, numbers = ruleset.initial(tags), Stream("bench", f"{number}{seated[0]}")
    strength_of = dict(zip(tags["Seats"].split(), seated, strict=True))
    for _ in range(LONGEST):
        acting = ruleset.to_act(state)
        if acting is None:
            break
        drawn = next(deck) if ruleset.dealer.coming(state) else None
        began = process_time()
        search = Search(ruleset, numbers, nodes=chosen.nodes, enough=until(began + chosen.milliseconds / 1000))
        action = choose(search, state, strength_of[acting], drawn)
        if strength_of[acting] == timed:
            took.append(process_time() - began)
        state = ruleset.apply(state, action)
    outcome = ruleset.outcome(state)
    return outcome.placements if outcome else None


def until(moment: float) -> Callable[[], bool]:
    """Return a function that says whether the process's CPU time has reached a limit."""
    return lambda: process_time() > moment


def dealt(ruleset: Ruleset[Any, Any], number: int) -> tuple[dict[str, str], Iterator[str]]:
    """Return the tags of a game for two and the cards in the order of drawing."""
    seats = min(line for line in ruleset.seatings if len(line) == len("ab"))
    of = ruleset_by_slug(_LAID) if ruleset.slug == _LAID_BY_HAND else ruleset
    found = deal(of, f"{number:064x}", ("a", "b"))
    tags = {"Seats": " ".join(seats), "Setup": found.setup}
    return tags | ({"Deck": "reconstruction-1"} if found.deck else {}), iter(found.deck or ())


if __name__ == "__main__":
    main()
