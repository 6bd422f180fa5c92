"""Whole turns: what a seat can do until it is another one's turn, the best-looking ways first."""

from collections.abc import Iterator
from math import inf
from operator import attrgetter
from typing import Generic, NamedTuple

from engine.ruleset import A, S
from engine.searching.looking import Looking


class Line(NamedTuple, Generic[S, A]):
    """Some actions of a seat, one after the other."""

    worth: float
    """What `Ruleset.evaluate` says of the position after them, for that seat."""
    actions: tuple[A, ...]
    state: S


_worth = attrgetter("worth")


def turns(
    looking: Looking[S, A], state: S, width: int, drawn: str | None = None, plenty: float = inf
) -> list[Line[S, A]]:
    """Return ways to play the turn of the seat to act to its end, the best-looking first.

    A turn ends where another seat acts or a card comes. Action by action only the `width` best-looking ways are
    followed, and each position only once, whatever the order of the actions that led there. When the look ahead is
    over before a turn ends, the ways are those found, however far they lead.

    :param plenty: a worth that is enough, so that no better way is looked for.
    """
    going_on, ended, seen = [Line[S, A](0.0, (), state)], list[Line[S, A]](), set[S]()
    while going_on:
        further = list[Line[S, A]]()
        for line, ends in _longer(looking, going_on, drawn, seen):
            (ended if ends else further).append(line)
            if ends and line.worth >= plenty:
                return [line]
        going_on, drawn = sorted(further, key=_worth, reverse=True)[:width], None
        if looking.over:
            ended += going_on
            break
    return sorted(ended, key=_worth, reverse=True)


def _longer(
    looking: Looking[S, A], lines: list[Line[S, A]], drawn: str | None, seen: set[S]
) -> Iterator[tuple[Line[S, A], bool]]:
    """Yield what the lines become by an action more, where that has not been seen, and whether it ends the turn."""
    for line in lines:
        for following in one_more(looking, line, drawn):
            if following.state not in seen:
                seen.add(following.state)
                yield following, ends_turn(looking, line.state, following.state)
        if looking.over:
            return


def ends_turn(looking: Looking[S, A], before: S, after: S) -> bool:
    """Return whether a turn is over after an action."""
    to_act = looking.ruleset.to_act
    return to_act(before) != to_act(after) or looking.draws(after)


def one_more(looking: Looking[S, A], line: Line[S, A], drawn: str | None = None) -> Iterator[Line[S, A]]:
    """Yield what a line becomes by each action more; only some when the look ahead is over, but one at least."""
    evaluate, seat = looking.ruleset.evaluate, looking.acting(line.state)
    for action in looking.legal(line.state, drawn):
        state = looking.after(line.state, action)
        yield Line(evaluate(state, seat), (*line.actions, action), state)
        if looking.over:
            break


__all__ = ["Line", "ends_turn", "one_more", "turns"]
