"""Reading chapters from a file: AGN with variations in parentheses, plain records, or a study in JSON."""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.agn.cut import cut
from engine.agn.log import MAX_TOKEN, AgnError, Place, Record
from engine.agn.reading import LEXEME, NUMBER, RESULT, parse, read_head
from engine.ruleset import RuleError
from engine.studying.playing import PlayedTree, play
from engine.studying.shape import chapter_from_json
from engine.studying.values import (
    COLOURS,
    MOST_NODES,
    MOST_TITLE,
    ROOT,
    Mark,
    Node,
    StudyError,
    Tree,
    beginning,
    tidy,
)

FORMAT = "atta-study/1"
_MARKS = re.compile(r"\[%(cells|arrows) ([^\[\]]*)\]")


class ReadChapter(NamedTuple):
    """A chapter found in a file; every variation is legal."""

    title: str
    played: PlayedTree


def read_file(data: bytes, most: int) -> tuple[str, list[ReadChapter]]:
    """Return the title of a study and its chapters.

    :param most: chapters that are allowed.
    :raises StudyError: at the first fault, with its rule and its place.
    """
    if data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"{") and (whole := _study_in_json(data)):
        return whole[0], _bounded((ReadChapter(title, play(tree)) for title, tree in whole[1]), most)
    heads = list[str]()
    found = _bounded((_chapter(record, heads) for record in cut(io.BytesIO(data))), most)
    if not found:
        raise StudyError("AGN-TAG-2", "This file contains no chapter.", place=(1, 1))
    return heads[0], found


def _bounded(chapters: Iterator[ReadChapter], most: int) -> list[ReadChapter]:
    found = list[ReadChapter]()
    for chapter in chapters:
        if len(found) == most:
            raise StudyError("AGN-FILE-2", "A study can have at most {most} chapters.", most=most)
        found.append(chapter)
    return found


def _study_in_json(data: bytes) -> tuple[str, list[tuple[str, Tree]]] | None:
    """Return a study in JSON; None if the file is something else, such as records in JSON."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return None
    chapters, title = value.get("chapters"), value.get("title", "")
    if not isinstance(chapters, list) or not isinstance(title, str):
        raise StudyError("AGN-JSON-1", "A study must have a title and a list of chapters.", place=(1, 1))
    return title, [chapter_from_json(chapter) for chapter in chapters]


def _chapter(record: Record, heads: list[str]) -> ReadChapter:
    """Return a record as a chapter, and add the title of the study that it names."""
    try:
        head = read_head(record)
    except AgnError as error:
        raise StudyError.of(error, place=error.place) from None
    heads.append(head.tags.get("Study", ""))
    title = head.tags.get("Chapter", "")[:MOST_TITLE]
    if record.form == "json":
        return ReadChapter(title, _placed(_from_record(record), [], (record.line, 1)))
    parser = _Parser(head.movetext, head.first_line)
    parser.read()
    tree = Tree(beginning(head.tags), tuple(parser.nodes), tidy(parser.comment), tuple(parser.marks))
    played = _placed(tree, [parser.place(at) for at in parser.offsets], (record.line, 1))
    parser.check_numbers(played)
    return ReadChapter(title, played)


def _from_record(record: Record) -> Tree:
    """Return a record in JSON as a tree without variations."""
    log = parse(record)
    if log.fault:
        raise StudyError.of(log.fault, place=log.fault.place)
    said = dict[int, str]()
    for before, comment in log.comments:
        said[before - 1] = f"{said.get(before - 1, '')} {comment}"
    tokens = [token for token in log.tokens if not RESULT.fullmatch(token)]
    nodes = (Node(token, at - 1, tidy(said.get(at, ""))) for at, token in enumerate(tokens))
    return Tree(beginning(log.tags), tuple(nodes), tidy(said.get(ROOT, "")))


def _placed(tree: Tree, places: list[Place], begins: Place) -> PlayedTree:
    """Play a tree. :raises StudyError: with the place of the fault in the text."""
    try:
        return play(tree)
    except StudyError as error:
        at = error.node
        error.place = places[at] if at is not None and 0 <= at < len(places) else begins
        raise


@dataclass
class _Parser:
    """Builds the tree of a movetext, a token at a time."""

    text: str
    first_line: int
    nodes: list[Node] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    comment: str = ""
    marks: list[Mark] = field(default_factory=list)
    numbers: dict[int, tuple[str, int]] = field(default_factory=dict)
    """The number that was written before an action, and where."""
    result: tuple[str, int] | None = None
    _at: int = ROOT
    """The last action of the line that is being read."""
    _open: list[int] = field(default_factory=list)
    """Where the lines go on that variations have interrupted."""
    _begun: bool = False
    """Whether the line has an action yet."""
    _early: str = ""
    """A comment before the first action of a variation."""
    _number: tuple[str, int] | None = None

    def read(self) -> None:
        """Read it all. :raises StudyError: where it is not well formed."""
        at = 0
        for match in LEXEME.finditer(self.text):
            self._read(match[0], match.start())
        at = len(self.text.rstrip())
        if self._open:
            raise self.fault_at("AGN-MOVE-3", "This variation is never closed.", at)
        if self._number:
            raise self.fault_at("AGN-MOVE-2", "No action follows this number.", self._number[1])
        if self.result is None:
            raise self.fault_at("AGN-RESULT-1", "The result is missing.", at)

    def place(self, offset: int) -> Place:
        """Return the line and column of an offset."""
        return self.first_line + self.text.count("\n", 0, offset), offset - self.text.rfind("\n", 0, offset)

    def fault_at(self, rule: str, template: str, at: int, **params: object) -> StudyError:
        """Return an error at an offset."""
        return StudyError.of(RuleError(rule, template, **params), place=self.place(at))

    def _read(self, word: str, at: int) -> None:
        if word == "{":
            raise self.fault_at("AGN-MOVE-3", "This comment is never closed.", at)
        if word[0] in "{;":
            self._say(word[1:-1] if word[0] == "{" else word[1:])
        elif self.result:
            raise self.fault_at(
                "AGN-MOVE-4", "Nothing may follow the result, found {token!r}.", at, token=word[:MAX_TOKEN]
            )
        elif word in "()":
            self._open_variation(at) if word == "(" else self._close_variation(at)
        else:
            self._read_token(word, at)

    def _read_token(self, word: str, at: int) -> None:
        if NUMBER.fullmatch(word):
            self._number = word, at
        elif RESULT.fullmatch(word) and not self._open:
            self.result = word, at
        else:
            self._act(word, at)

    def _act(self, token: str, at: int) -> None:
        if len(self.nodes) == MOST_NODES:
            raise self.fault_at("AGN-FILE-2", "A chapter can have at most {most} actions.", at, most=MOST_NODES)
        self.nodes.append(Node(token[: MAX_TOKEN + 1], self._at))
        self.offsets.append(at)
        self._at, self._begun = len(self.nodes) - 1, True
        if self._number:
            self.numbers[self._at], self._number = self._number, None
        if self._early:
            said, self._early = self._early, ""
            self._say(said)

    def _open_variation(self, at: int) -> None:
        if not self._begun:
            raise self.fault_at("AGN-MOVE-3", "A variation must follow the action that it replaces.", at)
        self._open.append(self._at)
        self._at, self._begun = self.nodes[self._at].parent, False

    def _close_variation(self, at: int) -> None:
        if not self._open:
            raise self.fault_at("AGN-MOVE-3", "This variation was never opened.", at)
        if not self._begun:
            raise self.fault_at("AGN-MOVE-3", "This variation has no action.", at)
        self._at = self._open.pop()

    def _say(self, text: str) -> None:
        """Add a comment, and the marks in it, to the last action."""
        if not self._begun and self._open:
            self._early = f"{self._early} {text}"
            return
        marks = [mark for match in _MARKS.finditer(text) for mark in _marks(match[2])]
        said = tidy(_MARKS.sub(" ", text))
        if self._at == ROOT:
            self.comment, self.marks = f"{self.comment} {said}".strip(" "), [*self.marks, *marks]
            return
        node = self.nodes[self._at]
        joined = f"{node.comment} {said}".strip(" ")
        self.nodes[self._at] = node._replace(comment=joined, marks=(*node.marks, *marks))

    def check_numbers(self, played: PlayedTree) -> None:
        """Check the numbers and the result. :raises StudyError: (AGN-MOVE-2, AGN-RESULT-1)."""
        for node, (number, at) in self.numbers.items():
            if number != f"{played.number(node)}.":
                raise self.fault_at(
                    "AGN-MOVE-2",
                    "Expected move number {due}, found {token!r}.",
                    at,
                    due=played.number(node),
                    token=number,
                )
        due, (result, at) = played.result(), self.result or ("*", 0)
        if result not in ("*", due):
            raise self.fault_at("AGN-RESULT-1", "Expected result {due}, found {result}.", at, due=due, result=result)


def _marks(text: str) -> Iterator[Mark]:
    """Yield the marks of `green a1 b2 red c3>d4`."""
    colour = COLOURS[0]
    for word in text.split():
        if word in COLOURS:
            colour = word
        else:
            cell, _, to = word.partition(">")
            yield Mark(cell, to, colour)
