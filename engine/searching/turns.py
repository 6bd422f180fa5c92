"""Whole turns: what a seat can do until the next seat's turn, the most promising first."""

from collections.abc import Iterator
from math import inf
from operator import attrgetter
from typing import Generic, NamedTuple

from engine.ruleset import A, S
from engine.searching.search import Search


class Line(NamedTuple, Generic[S, A]):
    """A series of actions of one seat."""

    worth: float
    """What `Ruleset.evaluate` says of the position after them, for that seat."""
    actions: tuple[A, ...]
    state: S


_worth = attrgetter("worth")


def turns(
    search: Search[S, A], state: S, width: int, drawn: str | None = None, plenty: float = inf
) -> list[Line[S, A]]:
    """Return lines that play the turn of the seat to act to its end, the most promising first.

    A turn ends when another seat acts or a card is drawn. After each action, only the `width` most promising lines are
    followed, and each position only once, in whatever order it was reached. If the search has to stop earlier, the
    unfinished lines are returned.

    :param plenty: a value that is good enough to stop looking for better lines.
    """
    going_on, ended, seen = [Line[S, A](0.0, (), state)], list[Line[S, A]](), set[S]()
    while going_on:
        further = list[Line[S, A]]()
        for line, ends in _longer(search, going_on, drawn, seen):
            (ended if ends else further).append(line)
            if ends and line.worth >= plenty:
                return [line]
        going_on, drawn = sorted(further, key=_worth, reverse=True)[:width], None
        if search.over:
            ended += going_on
            break
    return sorted(ended, key=_worth, reverse=True)


def _longer(
    search: Search[S, A], lines: list[Line[S, A]], drawn: str | None, seen: set[S]
) -> Iterator[tuple[Line[S, A], bool]]:
    """Yield the lines extended by one action, except to positions seen before, and whether the action ends the turn."""
    for line in lines:
        for following in one_more(search, line, drawn):
            if following.state not in seen:
                seen.add(following.state)
                yield following, ends_turn(search, line.state, following.state)
        if search.over:
            return


def ends_turn(search: Search[S, A], before: S, after: S) -> bool:
    """Return whether a turn is over after an action."""
    to_act = search.ruleset.to_act
    return to_act(before) != to_act(after) or search.draws(after)


def one_more(search: Search[S, A], line: Line[S, A], drawn: str | None = None) -> Iterator[Line[S, A]]:
    """Yield a line extended by each legal action; if the search has to stop, only by some, but at least one."""
    evaluate, seat = search.ruleset.evaluate, search.acting(line.state)
    for action in search.legal(line.state, drawn):
        state = search.after(line.state, action)
        yield Line(evaluate(state, seat), (*line.actions, action), state)
        if search.over:
            break


__all__ = ["Line", "ends_turn", "one_more", "turns"]
