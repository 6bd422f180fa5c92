"""Writing a chapter as text: AGN with variations in parentheses, and with marks in comments."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.agn.canonical import format_tags, order_tags
from engine.studying.playing import PlayedTree, seat_names
from engine.studying.values import COLOURS, ROOT, Mark


class _Step(NamedTuple):
    """What is written next: an action and what follows it."""

    node: int
    depth: int
    with_others: bool
    """Whether the other actions of the same position follow it, as variations."""
    numbered: bool


def write(played: PlayedTree, names: Mapping[str, str], more: Mapping[str, str]) -> str:
    """Return a chapter as text.

    :param names: the players' names by seat letter; who has none is called by the colour.
    :param more: other tags, such as the titles of the study and of the chapter.
    """
    ruleset, tree = played.ruleset, played.tree
    seats = [ruleset.seat(letter) for letter in tree.tags["Seats"].split(" ")]
    players = {seat.tag: names.get(seat.letter) or seat_names(ruleset)[seat.tag] for seat in seats}
    tags = {**more, **tree.tags, **players, "Result": played.result()}
    ordered = order_tags(tags, [seat.tag for seat in seats])
    before = f"{_comment(tree.comment, tree.marks)}\n" if tree.comment or tree.marks else ""
    movetext = _movetext(played)
    return f"{format_tags(ordered)}\n{before}{movetext}{played.result()}\n"


def _movetext(played: PlayedTree) -> str:
    """Return all actions: a line for each round of the main line, the variations behind the action they replace."""
    children, written = played.tree.children(), list[str]()
    todo: list[_Step | str] = [_Step(at, 0, with_others=True, numbered=True) for at in children[ROOT][:1]]
    while todo:
        step = todo.pop()
        if isinstance(step, str):
            written[-1] += step
            continue
        written.append(_written(played, step))
        others = children[played.tree.nodes[step.node].parent][1:] if step.with_others else []
        todo += [_Step(at, step.depth, with_others=True, numbered=bool(others)) for at in children[step.node][:1]]
        for other in reversed(others):
            todo += [")", _Step(other, step.depth + 1, with_others=False, numbered=True)]
    return "".join(written).lstrip() + ("\n" if written else "")


def _written(played: PlayedTree, step: _Step) -> str:
    """Return an action with what goes before it and its comment."""
    node, number = played.tree.nodes[step.node], played.number(step.node)
    is_new = node.parent == ROOT or number != played.number(node.parent)
    opens = step.depth > 0 and not step.with_others
    between = " (" if opens else "\n" if is_new and not step.depth else " "
    numbered = f"{number}. " if is_new or step.numbered else ""
    comment = f" {_comment(node.comment, node.marks)}" if node.comment or node.marks else ""
    return f"{between}{numbered}{node.token}{comment}"


def _comment(text: str, marks: Iterable[Mark]) -> str:
    parts = [_mark_part("cells", [mark for mark in marks if not mark.to])]
    parts += [_mark_part("arrows", [mark for mark in marks if mark.to]), text]
    return f"{{{' '.join(filter(None, parts))}}}"


def _mark_part(name: str, marks: list[Mark]) -> str:
    """Return marks as `[%cells green a1 b2 red c3]`, or arrows as `[%arrows green a1>b2]`."""
    said = list[str]()
    for colour in COLOURS:
        found = [f"{mark.cell}>{mark.to}" if mark.to else mark.cell for mark in marks if mark.colour == colour]
        said += [colour, *found] if found else []
    return f"[%{name} {' '.join(said)}]" if said else ""
