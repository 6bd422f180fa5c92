"""The largest legal records of each game: with the maximum number of actions and as many comments as fit."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import cycle, islice
from random import Random

from engine.agn.log import MAX_ACTIONS, MAX_TEXT
from engine.army_ants.ruleset import ARMY_ANTS
from tests.engine.army_ants.table import BATTLE, DEAL
from tests.engine.worst import longest_game
from tests.strategies import AnyRuleset, Playout, play

_SWAPS = {
    "red": ("a1~b1", "a1~a2", "b1~b2", "d1~e1", "d1~d2", "e1~e2"),
    "black": ("a8~b8", "a7~a8", "d8~e8", "d7~d8", "b7~b8"),
}


@cache
def longest(ruleset: AnyRuleset, seed: int = 1) -> Playout:
    """Return the longest game: for Army Ants one of swaps, by a seed, that ends only at the action limit."""
    tags = longest_game(ruleset).tags
    if ruleset is ARMY_ANTS:
        tokens = [*BATTLE.split(), *_swaps(seed)][:MAX_ACTIONS]
        return _played(ruleset, {**tags, "Setup": DEAL}, tokens)
    games = [longest_game(ruleset), *(play(ruleset, tags, Random(seed)) for seed in range(5))]
    return max(games, key=lambda game: len(game.tokens))


def _swaps(seed: int) -> Iterator[str]:
    """Yield swaps that never form a series, since a fourth repetition would be a draw."""
    random = Random(seed)
    for colour in islice(cycle(("red", "black")), MAX_ACTIONS):
        yield random.choice(_SWAPS[colour])


def _played(ruleset: AnyRuleset, tags: Mapping[str, str], tokens: Sequence[str]) -> Playout:
    states = [ruleset.initial(tags)]
    for token in tokens:
        states.append(ruleset.apply(states[-1], ruleset.parse_action(token)))
    return Playout(ruleset, tags, tuple(states), tuple(tokens))


def full_of(comment: str, game: Playout) -> bytes:
    """Return a game with a comment on each action up to the maximum length, of a character expensive in HTML."""
    room = (MAX_TEXT - len(game.text().encode())) // len(game.tokens) - 8
    each = (comment * room).encode()[:room].decode(errors="ignore").strip()
    return game.text(dict.fromkeys(range(len(game.tokens)), each)).encode()
