"""Counts the legal sequences of actions from a position; two engines compare the counts to find differences."""

from collections.abc import Iterator
from typing import TypeVar

from engine.ruleset import Ruleset

S = TypeVar("S")
A = TypeVar("A")


def perft(ruleset: Ruleset[S, A], state: S, depth: int) -> int:
    """Return the number of sequences of exactly `depth` actions that are legal from a state.

    Administrative actions are left out, and a game that ends earlier is not counted. The last action is only counted,
    not played, so this takes about as long as listing the sequences that are one action shorter.
    """
    if depth == 0:
        return 1
    legal = ruleset.legal_actions(state)
    if depth == 1:
        return sum(1 for _ in legal)
    return sum(perft(ruleset, ruleset.apply(state, action), depth - 1) for action in legal)


def divide(ruleset: Ruleset[S, A], state: S, depth: int) -> Iterator[tuple[str, int]]:
    """Return every legal action as written, and how many sequences of at least one action begin with it."""
    for action in ruleset.legal_actions(state):
        yield ruleset.format_action(action), perft(ruleset, ruleset.apply(state, action), depth - 1)
