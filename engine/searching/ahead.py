"""Looks ahead by whole turns: the value of a turn, given what the others can do next."""

from math import inf
from typing import Final

from engine.ruleset import A, S
from engine.searching.search import Search
from engine.searching.turns import Line, turns

WIDTH: Final = 6
"""Number of ways to play a turn that are followed from action to action."""
REPLIES: Final = 2
"""The same for the turns that follow."""
DEEPEST: Final = 6
"""Number of turns that a look ahead covers at most."""

TWO: Final = 2
_LESS: Final = 1e-9


def best_line(search: Search[S, A], state: S, drawn: str | None) -> list[Line[S, A]]:
    """Return turns of the seat to act, with their values after the turns that follow.

    The search goes deeper step by step until it is out of time or positions; an unfinished step is discarded.
    """
    seat = search.acting(state)
    lines = turns(search, state, WIDTH, drawn)
    for depth in range(1, DEEPEST):
        judged = _judge(search, lines, seat, depth)
        if search.over:
            # The best lines come first, so the lines judged in time are the ones that matter.
            return judged or lines
        lines = sorted(judged, key=lambda line: -line.worth)
    return lines


def _judge(search: Search[S, A], lines: list[Line[S, A]], seat: str, depth: int) -> list[Line[S, A]]:
    judged, most = list[Line[S, A]](), -inf
    for line in lines:
        worth = value(search, line.state, seat, depth, most)
        if search.over:
            break
        # Of a turn that is not better than the best one, only that is known, even if its value equals the bound.
        judged.append(line._replace(worth=worth if worth > most else worth - _LESS))
        most = max(most, worth)
    return judged


def value(search: Search[S, A], state: S, seat: str, depth: int, enough: float = -inf, most: float = inf) -> float:
    """Return the value of a position for a seat after some more turns, in which everybody plays their best.

    Where a card is drawn, the look ahead ends: nobody knows what comes.
    With two seats, one gains what the other loses, so turns that no longer matter are cut off. With more seats, each of
    the others plays the turn that looks best for itself (decision 65).
    """
    ruleset = search.ruleset
    acting = ruleset.to_act(state)
    if acting is None or depth == 0 or search.over or search.draws(state):
        return ruleset.evaluate(state, seat)
    # The last turn, with two seats: one way to play it that is good enough makes the others irrelevant.
    plenty = inf if depth > 1 or search.seats > TWO else most if acting == seat else -enough
    lines = turns(search, state, REPLIES, plenty=plenty)
    if not lines or depth == 1:
        return ruleset.evaluate(lines[0].state if lines else state, seat)
    if acting != seat and search.seats > TWO:
        lines = lines[:1]
    best = -inf if acting == seat else inf
    for line in lines:
        worth = value(search, line.state, seat, depth - 1, enough, most)
        if acting == seat:
            best = max(best, worth)
            enough = max(enough, best)
        else:
            best = min(best, worth)
            most = min(most, best)
        if enough >= most:
            break
    return best


__all__ = ["best_line"]
