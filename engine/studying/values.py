"""A chapter's tree: how its game begins, its actions with variations, comments and marks, and what limits them."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.agn.known_tags import SETUP_TAGS
from engine.agn.log import MAX_ACTIONS, Place
from engine.agn.reading import tidy_comment
from engine.ruleset import RuleError

COLOURS: Final = ("green", "red", "blue", "yellow")
"""Of marks, the usual one first."""
MOST_NODES: Final = MAX_ACTIONS
"""Actions of a chapter, those of its variations included."""
MOST_OF_STUDY: Final = 20_000
"""Actions of all chapters of a study: each is played before it is stored, and all are sent as one file."""
MOST_COMMENT: Final = 2_000
"""Characters of a comment."""
MOST_WRITTEN: Final = 40_000
"""Characters of all comments of a chapter."""
MOST_MARKS: Final = 32
"""Marks of a position."""
MOST_MARKED: Final = 1_000
"""Marks of a chapter."""
MOST_TITLE: Final = 100
"""Characters of a title."""
BEGINNING: Final = ("Game", "Rules", "Seats", *SETUP_TAGS)
"""The tags that a chapter keeps: they say how its game begins, and name nobody."""
ROOT: Final = -1
"""The parent of the first actions: the position with which the chapter begins."""


_NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


class StudyError(RuleError):
    """A chapter is not as the rules allow: the rule, and the action or the place in the text where it breaks it."""

    def __init__(
        self, rule: str, template: str, /, *, node: int | None = None, place: Place | None = None, **params: object
    ) -> None:
        super().__init__(rule, template, **params)
        self.node, self.place = node, place

    @classmethod
    def of(cls, error: RuleError, *, node: int | None = None, place: Place | None = None) -> "StudyError":
        """Return a rule's refusal at a place of a chapter."""
        params: dict[str, Any] = dict(error.params)
        return cls(error.rule, error.template, node=node, place=place, **params)

    @property
    def token(self) -> str | None:
        """The action that is at fault, if it is one."""
        token = self.params.get("token")
        return token if isinstance(token, str) else None


class TooLongError(StudyError):
    """The chapters of a study together have more actions than it may have."""


class Mark(NamedTuple):
    """A mark on a cell, or an arrow from one cell to another."""

    cell: str
    to: str = ""
    colour: str = COLOURS[0]


class Node(NamedTuple):
    """An action of a chapter, with what is said about the position after it."""

    token: str
    parent: int
    """The number of the action before it; ROOT if there is none."""
    comment: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """A chapter. The first of the actions that follow a position is the main line, the others are variations."""

    tags: Mapping[str, str]
    """How the game begins: the tags of `BEGINNING`."""
    nodes: tuple[Node, ...] = ()
    """Every action comes after its parent."""
    comment: str = ""
    """About the position with which it begins; so are the marks."""
    marks: tuple[Mark, ...] = ()

    def children(self) -> Mapping[int, list[int]]:
        """Return the actions that follow each position, the main line first."""
        found = defaultdict[int, list[int]](list)
        for at, node in enumerate(self.nodes):
            found[node.parent].append(at)
        return found

    def main_line(self) -> list[int]:
        """Return the actions of the main line."""
        first = dict[int, int]()
        for at, node in enumerate(self.nodes):
            first.setdefault(node.parent, at)
        line, at = list[int](), ROOT
        while (at := first.get(at, ROOT)) != ROOT:
            line.append(at)
        return line


def beginning(tags: Mapping[str, str]) -> dict[str, str]:
    """Return those of a record's tags that a chapter keeps."""
    return {name: tags[name] for name in BEGINNING if name in tags}


def tidy(comment: str) -> str:
    """Return a comment as it is kept: as in a record, and with nothing that reads as marks."""
    return tidy_comment(comment.replace("\r", "\n")).replace("[%", "[ %")


def without_controls(text: str) -> str:
    """Return a text without what `check_text` refuses."""
    return _NOT_TEXT.sub("", text)


def check_text(text: str, node: int | None = None) -> None:
    """Check that a text can be stored and written. :raises StudyError: (AGN-FILE-1)."""
    if _NOT_TEXT.search(text):
        raise StudyError("AGN-FILE-1", "A string contains a control character or an incomplete character.", node=node)
