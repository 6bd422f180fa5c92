"""Reading chapters from a file: AGN with variations in parentheses, plain records, or a study in JSON."""

import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.agn.cut import cut
from engine.agn.log import MAX_TOKEN, AgnError, Place, Record
from engine.agn.reading import LEXEME, NUMBER, RESULT, parse, read_head
from engine.replay.results import wrong_result
from engine.ruleset import UNFINISHED, RuleError
from engine.studying.playing import PlayedTree, play
from engine.studying.shape import chapter_from_json
from engine.studying.values import (
    COLOURS,
    MOST_NODES,
    MOST_OF_STUDY,
    MOST_TITLE,
    ROOT,
    Mark,
    Node,
    StudyError,
    TooLongError,
    Tree,
    beginning,
    tidy,
)
from engine.words import marked

FORMAT = "atta-study/1"
_TOO_MANY = marked(
    "All chapters of a study together can have at most {most} actions. Spread them over several studies."
)
_MARKS = re.compile(r"\[%(cells|arrows) ([^\[\]]*)\]")


class ReadChapter(NamedTuple):
    """A chapter found in a file; every variation is legal."""

    title: str
    played: PlayedTree


def read_file(data: bytes, most: int) -> tuple[str, list[ReadChapter]]:
    """Return the title of a study and its chapters.

    :param most: chapters that are allowed.
    :raises TooLongError: when all chapters together have too many actions, before any is played.
    :raises StudyError: at the first fault, with its rule and its place.
    """
    if data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"{") and (whole := _study_in_json(data)):
        written = (_Written(title, tree) for title, tree in whole[1])
        return whole[0], [one.read() for one in _bounded(written, most)]
    heads = list[str]()
    found = _bounded((_written(record, heads) for record in cut(io.BytesIO(data))), most)
    if not found:
        raise StudyError("AGN-TAG-2", "This file contains no chapter.", place=(1, 1))
    return heads[0], [one.read() for one in found]


def _bounded(chapters: Iterable["_Written"], most: int) -> list["_Written"]:
    found, actions = list[_Written](), 0
    for chapter in chapters:
        if len(found) == most:
            raise StudyError("AGN-FILE-2", "A study can have at most {most} chapters.", most=most)
        actions += len(chapter.tree.nodes)
        check_all_actions(actions)
        found.append(chapter)
    return found


def check_all_actions(count: int) -> None:
    """Check how many actions the chapters of a study have together. :raises TooLongError: when they are too many."""
    if count > MOST_OF_STUDY:
        raise TooLongError("AGN-FILE-2", _TOO_MANY, most=MOST_OF_STUDY)


def _study_in_json(data: bytes) -> tuple[str, Iterator[tuple[str, Tree]]] | None:
    """Return the title of a study in JSON and its chapters; None if the file is something else, as records in JSON."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return None
    chapters, title = value.get("chapters"), value.get("title", "")
    if not isinstance(chapters, list) or not isinstance(title, str):
        raise StudyError("AGN-JSON-1", "A study must have a title and a list of chapters.", place=(1, 1))
    return title, map(chapter_from_json, chapters)


@dataclass(frozen=True, slots=True)
class _Written:
    """A chapter as it is written, not played yet."""

    title: str
    tree: Tree
    places: Sequence[Place] = ()
    """Where its actions are in the text."""
    begins: Place | None = None
    parser: "_Parser | None" = None
    """What was read besides: numbers and the result."""

    def read(self) -> ReadChapter:
        """Play it. :raises StudyError: at the first fault."""
        try:
            played = play(self.tree)
        except StudyError as error:
            at = error.node
            error.place = self.places[at] if at is not None and 0 <= at < len(self.places) else self.begins
            raise
        if self.parser:
            self.parser.check_numbers(played)
        return ReadChapter(self.title, played)


def _written(record: Record, heads: list[str]) -> _Written:
    """Return a record as a chapter, and add the title of the study that it names."""
    try:
        head = read_head(record)
    except AgnError as error:
        raise StudyError.of(error, place=error.place) from None
    heads.append(head.tags.get("Study", ""))
    title = head.tags.get("Chapter", "")[:MOST_TITLE]
    if record.form == "json":
        return _Written(title, _from_record(record), begins=(record.line, 1))
    parser = _Parser(head.movetext, head.first_line)
    parser.read()
    tree = Tree(beginning(head.tags), tuple(parser.nodes), tidy(parser.comment), tuple(parser.marks))
    return _Written(title, tree, parser.places(), (record.line, 1), parser)


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

    def places(self) -> list[Place]:
        """Return the places of all actions, which come in the order of the text."""
        found, line, begin = list[Place](), self.first_line, 0
        for offset in self.offsets:
            line += self.text.count("\n", begin, offset)
            begin = offset
            found.append((line, offset - self.text.rfind("\n", 0, offset)))
        return found

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
        """Check the numbers and the result. :raises StudyError: (AGN-MOVE-2, AGN-RESULT-1, AGN-RESULT-2)."""
        for node, (number, at) in self.numbers.items():
            if number != f"{played.number(node)}.":
                raise self.fault_at(
                    "AGN-MOVE-2",
                    "Expected move number {due}, found {token!r}.",
                    at,
                    due=played.number(node),
                    token=number,
                )
        due, (result, at) = played.result(), self.result or (UNFINISHED, 0)
        if result not in (UNFINISHED, due):
            seats = played.tree.tags["Seats"].split(" ")
            raise StudyError.of(wrong_result(played.ruleset, played.end(), seats, result), place=self.place(at))


def _marks(text: str) -> Iterator[Mark]:
    """Yield the marks of `green a1 b2 red c3>d4`."""
    colour = COLOURS[0]
    for word in text.split():
        if word in COLOURS:
            colour = word
        else:
            cell, _, to = word.partition(">")
            yield Mark(cell, to, colour)
