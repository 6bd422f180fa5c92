"""A log played through a ruleset: every state up to the end or to the first fault.

Rules raise; here alone they are caught. From here on a bad log is an answer, not an exception.
"""

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import groupby, islice
from typing import Any, Generic, TypeVar

from engine.agn.canonical import format_text, game_digest, json_form, order_tags, tidy_comments
from engine.agn.log import MAX_ACTIONS, AgnError, Log, Place
from engine.agn.reading import NUMBER, RESULT
from engine.ruleset import IllegalMoveError, MoveSyntaxError, RuleError, Ruleset
from engine.words import say

S = TypeVar("S")
A = TypeVar("A")

LEGAL_SHOWN = 20
"""How many of the legal actions a fault lists."""
UNFINISHED = "*"
_DRAWN = "draw"
_WHO_CAN_DRAW = 2

_LEAVING = re.compile(r"(?:resign|timeout):([A-Za-z])")
_TOKENS_KEPT = 1 << 14
"""Different tokens of a game that a process remembers: some ten megabytes, were they all hostile."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that is wrong with a record: the rule, the place, and why."""

    rule: str
    line: int
    column: int
    template: str
    params: Mapping[str, object]
    ply: int | None = None
    """Actions before it; none when the fault is in the tags or in the text as a whole."""
    token: str | None = None
    legal: tuple[str, ...] | None = None
    """Up to 20 of the actions that were legal where an action was at fault."""

    @property
    def message(self) -> str:
        """One sentence that says what is wrong."""
        return say(self.template, self.params)


def fault_of(error: RuleError, place: Place, **more: Any) -> Fault:  # noqa: ANN401 (a fault's own fields)
    """A rule's refusal as a fault at a place."""
    return Fault(error.rule, place[0], place[1], error.template, error.params, **more)


@dataclass(frozen=True, slots=True)
class Replay(Generic[S, A]):
    """The legal prefix of a log, and its first fault."""

    ruleset: Ruleset[S, A]
    tags: Mapping[str, str]
    """In canonical order."""
    states: tuple[S, ...]
    """The initial state and the state after every legal action."""
    actions: tuple[str, ...]
    """The tokens of the legal actions."""
    numbers: tuple[int, ...]
    """For each action the number of its round or pair of turns."""
    comments: Mapping[int, str]
    """By ply; -1 for the one before the first action."""
    result: str
    fault: Fault | None

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end."""
        return self.ruleset.outcome(self.states[-1]) is not None

    def spells(self) -> Iterator[tuple[int, str, range]]:
        """The actions by seats: the number of the round or pair, the letter of who acts, and the plies in a row."""
        to_act, states, numbers = self.ruleset.to_act, self.states, self.numbers
        plies = groupby(range(len(self.actions)), key=lambda ply: (numbers[ply], to_act(states[ply]) or ""))
        for (number, letter), found in plies:
            first, *others = found
            yield number, letter, range(first, first + 1 + len(others))

    def text(self) -> str:
        """The canonical text of a record without a fault."""
        return format_text(self.tags, self.actions, self.numbers, self.comments, self.result)

    def as_json(self) -> dict[str, Any]:
        """The JSON form of a record without a fault."""
        return json_form(self.tags, self.actions, self.comments, self.result)

    def digest(self) -> str:
        """The game digest."""
        return game_digest(self.tags, self.actions, self.result)


@dataclass(slots=True)
class _Progress(Generic[S]):
    """What of a log has been played so far."""

    states: list[S]
    token_of: list[int] = field(default_factory=list)
    """For each action the number of its token."""
    result: str | None = None
    result_at: int = 0


_ACTION, _NUMBER, _RESULT, _LEAVE, _DRAW = range(5)
Word = tuple[int, Any]
"""What a token is, and its value: an action, a number, a letter of a seat."""


def replay(ruleset: Ruleset[S, A], start: S, log: Log, seat_tags: tuple[str, ...]) -> Replay[S, A]:
    """Plays a log from its initial state.

    Linear in the log's tokens; every step is bounded by the ruleset's material, so that no record allowed by
    AGN-FILE-2 takes long.

    :param seat_tags: the names of the tags with the players' names, in seat order.
    """
    log = _within_limit(log)
    progress = _Progress([start])
    fault = _play(ruleset, log, progress) or _judge_result(ruleset, log, progress)
    return Replay(
        ruleset=ruleset,
        tags=order_tags(log.tags, seat_tags),
        states=tuple(progress.states),
        actions=tuple([log.tokens[at] for at in progress.token_of]),
        numbers=tuple(map(ruleset.number, progress.states[:-1])),
        comments=_comments_by_ply(log, progress),
        result=progress.result or UNFINISHED,
        fault=fault,
    )


def _within_limit(log: Log) -> Log:
    """The log up to the first action too many (AGN-FILE-2)."""
    if len(log.tokens) <= MAX_ACTIONS:
        return log
    actions = (at for at, token in enumerate(log.tokens) if not NUMBER.fullmatch(token) and not RESULT.fullmatch(token))
    too_many = next(islice(actions, MAX_ACTIONS, None), None)
    if too_many is None:
        return log
    fault = AgnError("AGN-FILE-2", log.token_place(too_many), "A game has at most {most} actions.", most=MAX_ACTIONS)
    comments = tuple(comment for comment in log.comments if comment[0] <= too_many)
    return dataclasses.replace(log, tokens=log.tokens[:too_many], comments=comments, fault=fault)


def _play(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S]) -> Fault | None:
    """Plays every token. One loop with the common case first, for this is where verification spends its time."""
    read, apply, states, token_of = _reader(ruleset.parse_action), ruleset.apply, progress.states, progress.token_of
    state, at, ended = states[-1], 0, False
    try:
        for at, token in enumerate(log.tokens):
            if ended:
                raise IllegalMoveError("AGN-MOVE-4", "{token!r} follows the result.", token=token)  # noqa: TRY301 (quick)
            kind, value = read(token)
            if kind == _ACTION:
                state = apply(state, value)
            elif kind == _NUMBER:
                _check_number(ruleset, state, token, value)
                continue
            elif kind == _RESULT:
                progress.result, progress.result_at, ended = token, at, True
                continue
            else:
                state = _administer(ruleset, state, kind, value, log)
            states.append(state)
            token_of.append(at)
    except (IllegalMoveError, MoveSyntaxError) as error:
        return _fault_at_token(ruleset, log, progress, at, error)
    return _fault_of_form(log.fault, len(token_of)) if log.fault else None


@cache
def _reader(parse_action: Callable[[str], Any]) -> Callable[[str], Word]:
    """Reads tokens of a game, whatever the edition; what it has read before it knows."""
    return lru_cache(maxsize=_TOKENS_KEPT)(partial(_read, parse_action))


def _read(parse_action: Callable[[str], Any], token: str) -> Word:
    if NUMBER.fullmatch(token):
        return _NUMBER, token[:-1]
    if RESULT.fullmatch(token):
        return _RESULT, token
    if token == _DRAWN:
        return _DRAW, None
    if leaving := _LEAVING.fullmatch(token):
        return _LEAVE, leaving[1]
    return _ACTION, parse_action(token)


def _check_number(ruleset: Ruleset[S, A], state: S, token: str, digits: str) -> None:
    if ruleset.outcome(state) is not None:
        raise IllegalMoveError("AGN-MOVE-2", "{token!r} stands after the end of the game.", token=token)
    due = ruleset.number(state)
    if digits != str(due):
        raise IllegalMoveError(
            "AGN-MOVE-2", "{token!r} is not the number of the next action, {due}.", token=token, due=due
        )


def _administer(ruleset: Ruleset[S, A], state: S, kind: int, letter: str, log: Log) -> S:
    """The state after a seat left or both agreed on a draw. :raises IllegalMoveError: (AGN-ADMIN-1, 2, AGN-MOVE-4)."""
    turn = ruleset.to_act(state)
    if turn is None:
        raise _after_the_end()
    if kind == _LEAVE:
        if letter != turn:
            raise IllegalMoveError("AGN-ADMIN-1", "Only the seat to act, {turn}, can leave here, not {letter!r}.",
                                   turn=turn, letter=letter)  # fmt: skip
        return ruleset.leave(state)
    if len(log.tags["Seats"].split(" ")) != _WHO_CAN_DRAW:
        raise IllegalMoveError("AGN-ADMIN-2", "Only two players can agree on a draw.")
    return ruleset.agree_draw(state)


def _after_the_end() -> IllegalMoveError:
    return IllegalMoveError("AGN-MOVE-4", "The game ended with the action before.")


def _fault_at_token(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S], at: int, error: RuleError) -> Fault:
    state, token = progress.states[-1], log.tokens[at]
    over = ruleset.outcome(state) is not None
    if over and isinstance(error, IllegalMoveError) and not error.rule.startswith("AGN-"):
        error = _after_the_end()
    about_action = progress.result is None and not NUMBER.fullmatch(token)
    legal = _some_legal(ruleset, state) if about_action and not over else None
    return fault_of(error, log.token_place(at), ply=len(progress.token_of), token=token, legal=legal)


def _some_legal(ruleset: Ruleset[S, A], state: S) -> tuple[str, ...]:
    return tuple(ruleset.format_action(action) for action in islice(ruleset.legal_actions(state), LEGAL_SHOWN))


def _fault_of_form(error: AgnError, ply: int) -> Fault:
    return fault_of(error, error.place, ply=ply, token=error.token)


def _judge_result(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S]) -> Fault | None:
    """What is wrong with the result, which is judged last (AGN-RESULT-1, AGN-RESULT-2, AGN-TAG-7)."""
    outcome = ruleset.outcome(progress.states[-1])
    due = UNFINISHED if outcome is None else "-".join(map(str, outcome.placements))
    result, ply = progress.result, len(progress.token_of)
    if result is None:
        error = RuleError("AGN-RESULT-1", "The result is missing: it is {due}.", due=due)
        return fault_of(error, log.token_place(len(log.tokens)), ply=ply)
    if result != due:
        rule = "AGN-RESULT-2" if UNFINISHED in (result, due) else "AGN-RESULT-1"
        error = RuleError(rule, "The result is {due}, not {result}.", due=due, result=result)
        return fault_of(error, log.token_place(progress.result_at), ply=ply, token=result)
    if log.tags["Result"] != due:
        error = RuleError(
            "AGN-TAG-7", "The Result tag says {tag!r}, the movetext {due}.", tag=log.tags["Result"], due=due
        )
        return fault_of(error, log.tag_place("Result"))
    return None


def _comments_by_ply(log: Log, progress: _Progress[S]) -> dict[int, str]:
    """The comments of the actions played, each with the last action before it."""
    return tidy_comments((bisect_left(progress.token_of, before) - 1, text) for before, text in log.comments)
