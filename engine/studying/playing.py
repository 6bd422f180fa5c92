"""Playing a chapter by the rules: every variation is legal, every mark is on a cell, and nothing is too long."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.agn.administrative import administer, check_administrative, parse_administrative
from engine.agn.log import MAX_TOKEN
from engine.agn.reading import NUMBER, RESULT
from engine.agn.tags import check_tags
from engine.registry import find_ruleset
from engine.ruleset import IllegalMoveError, RuleError, Ruleset, TagError, due_result
from engine.scene import Scene, last_scene
from engine.scene.values import GROUND
from engine.studying.values import (
    COLOURS,
    MOST_COMMENT,
    MOST_MARKED,
    MOST_MARKS,
    MOST_NODES,
    MOST_WRITTEN,
    ROOT,
    Mark,
    StudyError,
    Tree,
    check_text,
)

_CELLS = ("card", "cell")
"""What the ids of cells begin with, in every game's scene."""


@dataclass(frozen=True)
class PlayedTree:
    """A chapter and all its positions."""

    ruleset: Ruleset[Any, Any]
    tree: Tree
    states: tuple[Any, ...]
    """The first position, and then the one after each action."""

    def state(self, node: int) -> Any:  # noqa: ANN401 (any game's position)
        """Return the position after an action, or the first one for ROOT."""
        return self.states[node + 1]

    def before(self, node: int) -> Any:  # noqa: ANN401 (any game's position)
        """Return the position in which an action was played."""
        return self.state(self.tree.nodes[node].parent)

    def number(self, node: int) -> int:
        """Return the number of an action's round, or pair of turns."""
        return self.ruleset.number(self.before(node))

    def seat(self, node: int) -> str:
        """Return the letter of the seat that acted."""
        return self.ruleset.to_act(self.before(node)) or ""

    def path(self, node: int) -> list[int]:
        """Return the actions up to one, which is the last of them."""
        found = list[int]()
        while node != ROOT:
            found.append(node)
            node = self.tree.nodes[node].parent
        return found[::-1]

    def played(self, node: int) -> tuple[list[Any], list[str]]:
        """Return all positions up to the one after an action, and the tokens between them."""
        path = self.path(node)
        return [self.states[0], *map(self.state, path)], [self.tree.nodes[at].token for at in path]

    def scene(self, node: int) -> Scene:
        """Return the picture of the position after an action."""
        return last_scene(self.ruleset, *self.played(node))

    def result(self) -> str:
        """Return the result of the main line, * while its game goes on."""
        return due_result(self.ruleset.outcome(self.end()))

    def end(self) -> Any:  # noqa: ANN401 (any game's position)
        """Return the position at the end of the main line."""
        line = self.tree.main_line()
        return self.state(line[-1] if line else ROOT)


def cells(scene: Scene) -> dict[str, tuple[float, float]]:
    """Return the centre of every cell on a board, by its name."""
    ground = (piece for piece in scene.pieces if piece.layer == GROUND)
    named = ((piece, *piece.id.partition(":")[::2]) for piece in ground)
    return {name: (piece.x, piece.y) for piece, kind, name in named if kind in _CELLS}


def play(tree: Tree) -> PlayedTree:
    """Play all variations of a chapter. :raises StudyError: at the first that is not legal, or for what is too long."""
    _check_size(tree)
    played = play_checked(tree)
    _check_marks(played)
    return played


def play_checked(tree: Tree) -> PlayedTree:
    """Play a chapter whose size and marks were checked before. :raises StudyError: at the first illegal variation."""
    ruleset, start = _begin(tree.tags)
    states = [start]
    seen = set[tuple[int, str]]()
    for at, node in enumerate(tree.nodes):
        if not ROOT <= node.parent < at:
            raise StudyError(
                "AGN-JSON-1", "The parent of an action must be the number of an earlier action, or -1.", node=at
            )
        check_text(node.token, at)
        if (node.parent, node.token) in seen:
            raise StudyError("AGN-MOVE-3", "{token} appears here twice.", node=at, token=node.token)
        seen.add((node.parent, node.token))
        try:
            states.append(_after(ruleset, states[node.parent + 1], node.token, tree.tags))
        except RuleError as error:
            error.params = {**error.params, "token": node.token[:MAX_TOKEN]}
            raise StudyError.of(error, node=at) from None
    return PlayedTree(ruleset, tree, tuple(states))


def _begin(tags: Mapping[str, str]) -> tuple[Ruleset[Any, Any], Any]:
    """Return the ruleset and the first position. :raises StudyError: when the tags do not say them."""
    try:
        ruleset = find_ruleset(tags)
        check_tags({"Result": "*", **seat_names(ruleset), **tags}, ruleset)
        return ruleset, ruleset.initial(tags)
    except TagError as error:
        raise StudyError.of(error) from None


def seat_names(ruleset: Ruleset[Any, Any]) -> dict[str, str]:
    """Return names for players who are not known: those of their colours."""
    return {seat.tag: seat.tag for seat in ruleset.seats}


def _after(ruleset: Ruleset[Any, Any], state: Any, token: str, tags: Mapping[str, str]) -> Any:  # noqa: ANN401
    """Return the position after an action. :raises RuleError: when it is not legal there."""
    turn = ruleset.to_act(state)
    if turn is None:
        raise IllegalMoveError("AGN-MOVE-4", "The game already ended with the previous action.")
    if len(token) > MAX_TOKEN or NUMBER.fullmatch(token) or RESULT.fullmatch(token):
        raise IllegalMoveError("AGN-MOVE-1", "{action!r} is not a single action.", action=token[:MAX_TOKEN])
    if said := parse_administrative(token):
        check_administrative(ruleset, said, turn, tags["Seats"].split(" "))
        return administer(ruleset, state, said)
    return ruleset.apply(state, ruleset.parse_action(token))


def _said(tree: Tree) -> Iterator[tuple[int, str, tuple[Mark, ...]]]:
    """Yield the comment and the marks of every position."""
    yield ROOT, tree.comment, tree.marks
    for at, node in enumerate(tree.nodes):
        yield at, node.comment, node.marks


def _check_size(tree: Tree) -> None:
    """Check what is bounded. :raises StudyError: (AGN-FILE-2)."""
    if len(tree.nodes) > MOST_NODES:
        raise StudyError("AGN-FILE-2", "A chapter can have at most {most} actions.", node=MOST_NODES, most=MOST_NODES)
    written = marked = 0
    for at, comment, marks in _said(tree):
        check_text(comment, at)
        written, marked = written + len(comment), marked + len(marks)
        if len(comment) > MOST_COMMENT:
            raise StudyError("AGN-FILE-2", "A comment can have at most {most} characters.", node=at, most=MOST_COMMENT)
        if written > MOST_WRITTEN:
            raise StudyError(
                "AGN-FILE-2",
                "The comments of a chapter can have at most {most} characters.",
                node=at,
                most=MOST_WRITTEN,
            )
        if len(marks) > MOST_MARKS:
            raise StudyError("AGN-FILE-2", "A position can have at most {most} marks.", node=at, most=MOST_MARKS)
        if marked > MOST_MARKED:
            raise StudyError("AGN-FILE-2", "A chapter can have at most {most} marks.", node=at, most=MOST_MARKED)


def _check_marks(played: PlayedTree) -> None:
    """Check that all marks are on cells. :raises StudyError: (AGN-MOVE-3)."""
    for at, _, marks in _said(played.tree):
        if not marks:
            continue
        known = cells(last_scene(played.ruleset, [played.state(at)], []))
        for mark in marks:
            _check_mark(mark, known, at)


def _check_mark(mark: Mark, known: Mapping[str, object], at: int) -> None:
    for cell in filter(None, (mark.cell or "?", mark.to)):
        if cell not in known:
            raise StudyError("AGN-MOVE-3", "There is no cell {cell!r} to mark.", node=at, cell=cell[:MAX_TOKEN])
    if mark.to == mark.cell:
        raise StudyError("AGN-MOVE-3", "An arrow cannot end where it begins, on {cell}.", node=at, cell=mark.cell)
    if mark.colour not in COLOURS:
        raise StudyError("AGN-MOVE-3", "{colour!r} is not a colour of marks: use {known}.",
                         node=at, colour=mark.colour[:MAX_TOKEN], known=", ".join(COLOURS))  # fmt: skip
