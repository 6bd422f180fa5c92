"""A chapter's variations as a list for its page: one item after another, so that no depth is too much."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engine.studying import PlayedTree
from engine.studying.values import ROOT

DEEPEST = 12
"""Lists within lists: deeper variations are in parentheses."""


@dataclass(frozen=True, slots=True)
class Item:
    """An action, or where a variation begins or ends."""

    kind: str
    """`move`, `open`, `close`, or `(` and `)` where a list would be too deep."""
    node: int = ROOT
    token: str = ""
    number: int | None = None
    letter: str = ""
    colour: str = ""
    comment: str = ""
    marks: int = 0
    current: bool = False


class _Step(NamedTuple):
    node: int
    depth: int
    with_others: bool


def items_of(played: PlayedTree, current: int) -> Iterator[Item]:
    """Yield the main line with its variations, each behind the action that it replaces."""
    children = played.tree.children()
    todo: list[_Step | Item] = [_Step(at, 0, with_others=True) for at in children[ROOT][:1]]
    colours = {seat.letter: seat.colour for seat in played.ruleset.seats}
    while todo:
        step = todo.pop()
        if isinstance(step, Item):
            yield step
            continue
        yield _move(played, step, current, colours)
        others = children[played.tree.nodes[step.node].parent][1:] if step.with_others else []
        todo += [_Step(at, step.depth, with_others=True) for at in children[step.node][:1]]
        for other in reversed(others):
            is_list = step.depth < DEEPEST
            todo += [Item("close" if is_list else ")"), _Step(other, step.depth + 1, with_others=False)]
            todo.append(Item("open" if is_list else "("))


def _move(played: PlayedTree, step: _Step, current: int, colours: dict[str, str]) -> Item:
    node, letter, number = played.tree.nodes[step.node], played.seat(step.node), played.number(step.node)
    first = node.parent == ROOT or not step.with_others
    is_new = first or number != played.number(node.parent)
    changes = first or letter != played.seat(node.parent)
    return Item(
        "move",
        step.node,
        node.token,
        number if is_new else None,
        letter if changes else "",
        colours.get(letter, ""),
        node.comment,
        len(node.marks),
        step.node == current,
    )
