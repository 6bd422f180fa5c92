"""Reading an unfinished record leniently: what is still missing is not a fault."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, pairwise
from typing import Any

from engine.agn.administrative import parse_administrative
from engine.agn.canonical import format_movetext, format_tags, order_tags
from engine.agn.log import AgnError, Log, Place, Record
from engine.agn.reading import NUMBER, RESULT, parse
from engine.agn.tags import check_tags, refused_line, refused_value
from engine.registry import find_ruleset
from engine.replay import Fault, Replay, fault_of, replay
from engine.ruleset import UNFINISHED, Ruleset, TagError, due_result
from engine.words import Words

_MARKS = re.compile("^\ufeff", re.MULTILINE)
"""Byte-order marks at the starts of lines, which are skipped (AGN-FILE-3)."""


class UnreadableError(ValueError):
    """A text of which nothing can be shown; `fault` says where and why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True)
class Draft:
    """A record that somebody is writing: its legal prefix and its first fault."""

    ruleset: Ruleset[Any, Any]
    tags: Mapping[str, str]
    """As they were written."""
    replay: Replay[Any, Any] | None
    """The legal prefix; none where the tags do not say how the game begins."""
    places: Sequence[Place]
    """Where each of its actions is."""
    fault: Fault | None
    """The first fault that more writing does not fix."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The tokens of the legal actions."""
        return self.replay.actions if self.replay else ()

    @property
    def states(self) -> tuple[Any, ...]:
        """The initial state and the state after every legal action; empty if the game cannot begin."""
        return self.replay.states if self.replay else ()

    @property
    def comments(self) -> Mapping[int, str]:
        """By ply; -1 for the one before the first action."""
        return self.replay.comments if self.replay else {}

    @property
    def result(self) -> str:
        """The result that is due after the legal actions."""
        return due_result(self.ruleset.outcome(self.replay.last) if self.replay else None)

    @cached_property
    def captions(self) -> tuple[Words, ...]:
        """What each legal action did."""
        return tuple(
            self.ruleset.shown.caption(before, self._action(token), after, token)
            for token, (before, after) in zip(self.actions, pairwise(self.states), strict=True)
        )

    def _action(self, token: str) -> Any:  # noqa: ANN401 (any game's action)
        return None if parse_administrative(token) else self.ruleset.parse_action(token)

    def seat(self, ply: int) -> str:
        """Return the letter of the seat that acted."""
        return str(self.ruleset.to_act(self.states[ply]))

    def text(self) -> str:
        """Return the canonical text of the legal prefix, with the result that is due."""
        tags = {**self.tags, "Result": self.result}
        ordered = format_tags(order_tags(tags, seat_tags_in(self.ruleset, tags)))
        if self.replay is None:
            return f"{ordered}\n{UNFINISHED}\n"
        lines = self.ruleset.number(self.replay.start), self.replay.turn_starts
        return f"{ordered}\n{format_movetext(self.actions, lines, self.comments, self.result)}"

    def digest(self) -> str | None:
        """Return the game digest, of a game that is over and has no fault."""
        over = self.replay and self.ruleset.outcome(self.replay.last) is not None
        return self.replay.digest() if self.replay and over and not self.fault else None


def read(text: str) -> Draft:
    """Read an unfinished record, text or JSON.

    A missing or wrong result is no fault; missing players' names are reported only if there is no other fault.

    :raises UnreadableError: when there is a syntax error before the first action, or its tags name no game.
    """
    text = _MARKS.sub("", text)
    form = "json" if text.lstrip(" \t\n").startswith("{") else "text"
    record = Record(1, 1, form, text.encode(errors="surrogatepass"))
    try:
        log = _unfinished(parse(record))
    except AgnError as error:
        raise UnreadableError(fault_of(error, error.place, written=refused_line(record, error))) from None
    try:
        ruleset = find_ruleset(log.tags)
    except TagError as error:
        fault = fault_of(error, log.tag_place(error.tag), written=refused_value(log.tags, error))
        raise UnreadableError(fault) from None
    return _played(ruleset, log)


def _unfinished(log: Log) -> Log:
    """Return the log without a `*` result."""
    if log.tokens[-1:] == (UNFINISHED,):
        log = log._replace(tokens=log.tokens[:-1])
    return log


def seat_tags_in(ruleset: Ruleset[Any, Any], tags: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the tags with the players' names, in seat order; empty while `Seats` is wrong."""
    letters = tuple(tags.get("Seats", "").split(" "))
    return tuple(ruleset.seat(letter).tag for letter in letters) if letters in ruleset.seatings else ()


def _played(ruleset: Ruleset[Any, Any], log: Log) -> Draft:
    fault = None
    seat_tags = seat_tags_in(ruleset, log.tags)
    try:
        check_tags({"Result": UNFINISHED, **log.tags}, ruleset)
    except TagError as error:
        fault = fault_of(error, log.tag_place(error.tag), written=refused_value(log.tags, error))
    try:
        start = ruleset.initial(log.tags) if seat_tags and "Setup" in log.tags else None
    except TagError as error:
        start = None
        fault = fault_of(error, log.tag_place(error.tag), written=refused_value(log.tags, error))
    if start is None:
        return Draft(ruleset, log.tags, None, (), fault)
    log = log._replace(tags={"Result": UNFINISHED, **log.tags})
    played, places = replay(ruleset, start, log, seat_tags), log.token_places()
    if (broken := _mistake(played.fault)) is not None:
        fault = broken
        played = replay(ruleset, start, _before(log, places, broken), seat_tags)
    acts = [not NUMBER.fullmatch(token) and not RESULT.fullmatch(token) for token in log.tokens]
    return Draft(ruleset, log.tags, played, tuple(compress(places, acts))[: len(played.actions)], fault)


def _mistake(fault: Fault | None) -> Fault | None:
    """Return the fault, unless only the result or its tag is missing."""
    if fault and ((fault.rule == "AGN-RESULT-1" and fault.token is None) or fault.rule == "AGN-TAG-7"):
        return None
    return fault


def _before(log: Log, places: Sequence[Place], fault: Fault) -> Log:
    """Return the log up to its fault, and the comments before that."""
    read = sum(place < (fault.line, fault.column) for place in places[:-1])
    if fault.ply is not None and places[0] == places[-1]:  # in JSON everything is at one place
        read = fault.ply
    comments = tuple(comment for comment in log.comments if comment[0] <= read)
    return log._replace(tokens=log.tokens[:read], comments=comments, fault=None)
