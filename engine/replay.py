"""A log played through a ruleset: how far it is legal, its first fault, and its states where somebody asks for them.

Rules raise; here alone they are caught. From here on a bad log is an answer, not an exception.
"""

import dataclasses
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import compress, count, groupby, islice
from typing import Any, Generic, TypeVar

from engine.agn.canonical import format_movetext, format_tags, game_digest, json_form, order_tags, tidy_comments
from engine.agn.log import MAX_ACTIONS, AgnError, Log, Place
from engine.agn.reading import NUMBER, RESULT
from engine.ruleset import IllegalMoveError, MoveSyntaxError, Played, RuleError, Ruleset, Step
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


@dataclass(frozen=True)
class Replay(Generic[S, A]):
    """The legal prefix of a log, and its first fault."""

    ruleset: Ruleset[S, A]
    tags: Mapping[str, str]
    """In canonical order."""
    start: S
    last: S
    """The state after every legal action."""
    actions: tuple[str, ...]
    """The tokens of the legal actions."""
    grown: Sequence[int]
    """The plies with which a new round or pair of turns begins, the first left out."""
    comments: Mapping[int, str]
    """By ply; -1 for the one before the first action."""
    result: str
    fault: Fault | None

    @cached_property
    def states(self) -> tuple[S, ...]:
        """The initial state and the state after every legal action. They are made where somebody asks for them."""
        states = [self.start]
        for token in self.actions:
            states.append(_after(self.ruleset, states[-1], token))
        return tuple(states)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """For each action the number of its round or pair of turns."""
        first = self.ruleset.number(self.start)
        return tuple([first + bisect_right(self.grown, ply) for ply in range(len(self.actions))])

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end."""
        return self.ruleset.outcome(self.last) is not None

    def spells(self) -> Iterator[tuple[int, str, range]]:
        """The actions by seats: the number of the round or pair, the letter of who acts, and the plies in a row."""
        to_act, states, numbers = self.ruleset.to_act, self.states, self.numbers
        plies = groupby(range(len(self.actions)), key=lambda ply: (numbers[ply], to_act(states[ply]) or ""))
        for (number, letter), found in plies:
            first, *others = found
            yield number, letter, range(first, first + 1 + len(others))

    def text(self) -> str:
        """The canonical text of a record without a fault."""
        return f"{format_tags(self.tags)}\n{self.movetext}"

    @cached_property
    def movetext(self) -> str:
        """What of the canonical text follows the tags."""
        lines = self.ruleset.number(self.start), self.grown
        return format_movetext(self.actions, lines, self.comments, self.result)

    def as_json(self) -> dict[str, Any]:
        """The JSON form of a record without a fault."""
        return json_form(self.tags, self.actions, self.comments, self.result)

    def digest(self) -> str:
        """The game digest."""
        return game_digest(self.tags, self.actions, self.result)


def _after(ruleset: Ruleset[S, A], state: S, token: str) -> S:
    """The state after an action that is known to be legal, administrative or not."""
    if token == _DRAWN:
        return ruleset.agree_draw(state)
    return ruleset.leave(state) if _LEAVING.fullmatch(token) else ruleset.apply(state, ruleset.parse_action(token))


@dataclass(slots=True)
class _Progress(Generic[S]):
    """What of a log has been played so far."""

    state: S
    plies: int = 0
    grown: list[int] = field(default_factory=list)
    words: list[object] = field(default_factory=list)
    """For each token that was read something that is true if it is an action; none for the result."""
    result: str | None = None

    def add(self, played: Played[S], words: Sequence[object]) -> None:
        """A series of actions was played, and these are the words of it."""
        before = self.plies
        self.state, self.plies = played.state, before + played.plies
        self.grown += [before + ply for ply in played.grown] if before else played.grown
        self.words += words

    @property
    def read(self) -> int:
        """How many tokens were read."""
        return len(self.words) + (self.result is not None)


def replay(ruleset: Ruleset[S, A], start: S, log: Log, seat_tags: tuple[str, ...]) -> Replay[S, A]:
    """Plays a log from its initial state.

    Linear in the log's tokens; every step is bounded by the ruleset's material, so that no record allowed by
    AGN-FILE-2 takes long.

    :param seat_tags: the names of the tags with the players' names, in seat order.
    """
    log = _within_limit(log)
    progress = _Progress(start)
    fault = _play(ruleset, log, progress) or _judge_result(ruleset, log, progress)
    played = _replay(ruleset, start, log, progress, fault, seat_tags)
    if None not in progress.words or (fault is None and played.movetext == log.movetext + "\n"):
        return played  # numbers as we write them are right
    at = _wrong_number(ruleset, start, log, progress)
    if at is None:
        return played
    progress = _Progress(start)
    _play(ruleset, dataclasses.replace(log, tokens=log.tokens[:at], fault=None), progress)
    fault = _fault_at_token(ruleset, log, progress, _wrong(ruleset, progress.state, log.tokens[at]))
    return _replay(ruleset, start, log, progress, fault, seat_tags)


def _replay(
    ruleset: Ruleset[S, A],
    start: S,
    log: Log,
    progress: _Progress[S],
    fault: Fault | None,
    seat_tags: tuple[str, ...],
) -> Replay[S, A]:
    grown = progress.grown
    if grown and grown[-1] == progress.plies:
        grown = grown[:-1]  # no action came any more
    return Replay(
        ruleset=ruleset,
        tags=order_tags(log.tags, seat_tags),
        start=start,
        last=progress.state,
        actions=tuple(compress(log.tokens, progress.words)),
        grown=grown,
        comments=_comments_by_ply(log, progress) if log.comments else {},
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
    """Plays every token but numbers: stretches of actions at once, what stands between them one by one."""
    known, tokens = _known(ruleset.parse_action, ruleset.step), log.tokens
    try:
        while progress.read < len(tokens):
            if progress.result is not None:
                raise IllegalMoveError("AGN-MOVE-4", "{token!r} follows the result.", token=tokens[progress.read])  # noqa: TRY301
            _play_stretch(ruleset, log, progress, known.read(tokens[progress.read :]))
            if progress.read < len(tokens):
                _play_other(ruleset, log, progress)
    except (IllegalMoveError, MoveSyntaxError) as error:
        return _fault_at_token(ruleset, log, progress, error)
    return _fault_of_form(log.fault, progress.plies) if log.fault else None


class _Words(dict[str, Step | None]):
    """What tokens say: an action, ready to be played, or nothing for a number.

    Nearly all tokens of a game come again and again, and looking up what they say is the least of verification.
    """

    def __init__(self, parse_action: Callable[[str], A], step: Callable[[A], Step]) -> None:
        super().__init__()
        self.parse: Callable[[str], Step] = lambda token: step(parse_action(token))

    def __missing__(self, token: str) -> Step | None:
        if RESULT.fullmatch(token) or token == _DRAWN or _LEAVING.fullmatch(token):
            raise _OtherWordError
        word = None if NUMBER.fullmatch(token) else self.parse(token)
        if len(self) >= _TOKENS_KEPT:
            self.clear()
        self[token] = word
        return word

    def read(self, tokens: Sequence[str]) -> list[Step | None]:
        """The words of a stretch of actions and numbers: up to the first token that is neither."""
        words: list[Step | None] = []
        with suppress(_OtherWordError, MoveSyntaxError):
            words.extend(map(self.__getitem__, tokens))  # what came before an error has been added
        return words


class _OtherWordError(Exception):
    """A token is a result or administrative."""


@cache
def _known(parse_action: Callable[[str], Any], step: Callable[[Any], Step]) -> _Words:
    """What is known of a game's tokens, whatever the edition."""
    return _Words(parse_action, step)


def _play_stretch(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S], words: list[Step | None]) -> None:
    """Plays actions that follow each other. :raises IllegalMoveError: at the first that is not legal."""
    steps, begin = list(filter(None, words)), len(progress.words)
    played = ruleset.play(progress.state, steps)
    if played.plies == len(steps):
        progress.add(played, words)
        return
    refused = next(islice(compress(count(), words), played.plies, None))
    progress.add(played, words[:refused])
    token = log.tokens[begin + refused]
    ruleset.apply(progress.state, ruleset.parse_action(token))
    raise RuntimeError(f"{token} is refused for no reason")


def _wrong_number(ruleset: Ruleset[S, A], start: S, log: Log, progress: _Progress[S]) -> int | None:
    """Where the first number stands that is not the one due."""
    ply, number, over = 0, ruleset.number(start), ruleset.outcome(progress.state) is not None
    due, grown = f"{number}.", iter(progress.grown)
    growth = next(grown, None)
    for at, (word, token) in enumerate(zip(progress.words, log.tokens, strict=False)):
        if word is not None:
            ply += 1
            if ply == growth:
                number += 1
                due, growth = f"{number}.", next(grown, None)
        elif token != due or (over and ply == progress.plies):
            return at
    return None


def _wrong(ruleset: Ruleset[S, A], state: S, token: str) -> IllegalMoveError:
    """What is wrong with a number (AGN-MOVE-2)."""
    if ruleset.outcome(state) is not None:
        return IllegalMoveError("AGN-MOVE-2", "{token!r} stands after the end of the game.", token=token)
    return IllegalMoveError("AGN-MOVE-2", "{token!r} is not the number of the next action, {due}.",
                            token=token, due=ruleset.number(state))  # fmt: skip


def _play_other(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S]) -> None:
    """Reads what is neither an action nor a number. :raises IllegalMoveError: or MoveSyntaxError."""
    token = log.tokens[progress.read]
    if RESULT.fullmatch(token):
        progress.result = token
        return
    before = progress.state
    after = _administer(ruleset, before, token, log)
    progress.add(Played(after, 1, [1] if ruleset.number(after) > ruleset.number(before) else []), [token])


def _administer(ruleset: Ruleset[S, A], state: S, token: str, log: Log) -> S:
    """The state after a seat left or both agreed on a draw. :raises IllegalMoveError: (AGN-ADMIN-1, 2, AGN-MOVE-4)."""
    leaving = _LEAVING.fullmatch(token)
    if not leaving and token != _DRAWN:
        ruleset.parse_action(token)
    turn = ruleset.to_act(state)
    if turn is None:
        raise _after_the_end()
    if leaving:
        if leaving[1] != turn:
            raise IllegalMoveError("AGN-ADMIN-1", "Only the seat to act, {turn}, can leave here, not {letter!r}.",
                                   turn=turn, letter=leaving[1])  # fmt: skip
        return ruleset.leave(state)
    if len(log.tags["Seats"].split(" ")) != _WHO_CAN_DRAW:
        raise IllegalMoveError("AGN-ADMIN-2", "Only two players can agree on a draw.")
    return ruleset.agree_draw(state)


def _after_the_end() -> IllegalMoveError:
    return IllegalMoveError("AGN-MOVE-4", "The game ended with the action before.")


def _fault_at_token(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S], error: RuleError) -> Fault:
    state, at = progress.state, progress.read
    token = log.tokens[at]
    over = ruleset.outcome(state) is not None
    if over and isinstance(error, IllegalMoveError) and not error.rule.startswith("AGN-"):
        error = _after_the_end()
    about_action = progress.result is None and not NUMBER.fullmatch(token)
    legal = _some_legal(ruleset, state) if about_action and not over else None
    return fault_of(error, log.token_place(at), ply=progress.plies, token=token, legal=legal)


def _some_legal(ruleset: Ruleset[S, A], state: S) -> tuple[str, ...]:
    return tuple(ruleset.format_action(action) for action in islice(ruleset.legal_actions(state), LEGAL_SHOWN))


def _fault_of_form(error: AgnError, ply: int) -> Fault:
    return fault_of(error, error.place, ply=ply, token=error.token)


def _judge_result(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S]) -> Fault | None:
    """What is wrong with the result, which is judged last (AGN-RESULT-1, AGN-RESULT-2, AGN-TAG-7)."""
    outcome = ruleset.outcome(progress.state)
    due = UNFINISHED if outcome is None else "-".join(map(str, outcome.placements))
    result, ply = progress.result, progress.plies
    if result is None:
        error = RuleError("AGN-RESULT-1", "The result is missing: it is {due}.", due=due)
        return fault_of(error, log.token_place(len(log.tokens)), ply=ply)
    if result != due:
        rule = "AGN-RESULT-2" if UNFINISHED in (result, due) else "AGN-RESULT-1"
        error = RuleError(rule, "The result is {due}, not {result}.", due=due, result=result)
        return fault_of(error, log.token_place(len(progress.words)), ply=ply, token=result)
    if log.tags["Result"] != due:
        error = RuleError(
            "AGN-TAG-7", "The Result tag says {tag!r}, the movetext {due}.", tag=log.tags["Result"], due=due
        )
        return fault_of(error, log.tag_place("Result"))
    return None


def _comments_by_ply(log: Log, progress: _Progress[S]) -> dict[int, str]:
    """The comments of the actions played, each with the last action before it."""
    token_of = [at for at, word in enumerate(progress.words) if word]
    return tidy_comments((bisect_left(token_of, before) - 1, text) for before, text in log.comments)
