"""Plays a log by a ruleset: how far it is legal, and its first fault.

Rules raise errors, which are caught only here; from here on, a fault is a value, not an exception.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import compress, count, islice
from typing import Generic, TypeVar

from engine.agn.administrative import Administrative, administer, check_administrative, parse_administrative
from engine.agn.canonical import are_in_order, format_movetext, numbered_movetext, order_tags, tidy_comments
from engine.agn.log import MAX_ACTIONS, AgnError, Log, Place
from engine.agn.reading import NUMBER, RESULT, Head
from engine.replay.bytewise import Lines, read_lines, vocabulary
from engine.replay.results import why, wrong_result
from engine.replay.tokens import token_cache
from engine.replay.values import Fault, Replay, fault_of
from engine.ruleset import UNFINISHED, IllegalMoveError, MoveSyntaxError, RuleError, Ruleset, Step, due_result
from engine.steps import Played
from engine.words import marked
from engine.written import Written, written

S = TypeVar("S")
A = TypeVar("A")

LEGAL_SHOWN = 20
"""How many of the legal actions a fault lists."""
LOOKED_AT = 1_000
"""Of how many legal actions these are chosen where a piece is named."""
_PIECE = re.compile("[A-Za-z][0-9]+")


class _Progress(Generic[S]):
    """How much of a log has been played so far."""

    def __init__(self, start: S) -> None:
        self.start = self.state = start
        self.plies = 0
        self.turn_starts: list[int] = []
        self.words: list[object] = []
        """For each token that was read something that is true if it is an action; none for the result."""
        self.result: str | None = None
        self.written = Written("", 0)
        """What was played, in the end."""
        self.comments: dict[int, str] = {}
        self.movetext = ""
        """All of it as it is written canonically, in the end or where that is known sooner."""

    def add(self, played: Played[S], words: Sequence[object]) -> None:
        """Record that a series of actions was played, with its tokens."""
        before = self.plies
        self.state, self.plies = played.state, before + played.plies
        self.turn_starts += [before + ply for ply in played.turn_starts] if before else played.turn_starts
        self.words += words

    @property
    def read(self) -> int:
        """The number of tokens read."""
        return len(self.words) + (self.result is not None)

    @property
    def lines(self) -> list[int]:
        """The plies at which lines after the first begin; a line without actions is left out."""
        return self.turn_starts[:-1] if self.turn_starts and self.turn_starts[-1] == self.plies else self.turn_starts


def _within_limit(log: Log) -> Log:
    """Return the log up to the first action beyond the limit (AGN-FILE-2)."""
    if len(log.tokens) <= MAX_ACTIONS:
        return log
    actions = (at for at, token in enumerate(log.tokens) if not NUMBER.fullmatch(token) and not RESULT.fullmatch(token))
    too_many = next(islice(actions, MAX_ACTIONS, None), None)
    if too_many is None:
        return log
    fault = AgnError(
        "AGN-FILE-2",
        log.token_place(too_many),
        "This game has too many actions: at most {most} are allowed.",
        most=MAX_ACTIONS,
    )
    comments = tuple(comment for comment in log.comments if comment[0] <= too_many)
    return log._replace(tokens=log.tokens[:too_many], comments=comments, fault=fault)


def replay(ruleset: Ruleset[S, A], start: S, log: Log, seat_tags: tuple[str, ...], heading: str = "") -> Replay[S, A]:
    """Play a log from its initial state.

    The time is linear in the number of tokens, and each step is bounded by the game's material, so no record allowed by
    AGN-FILE-2 takes long.

    :param seat_tags: the names of the tags with the players' names, in seat order.
    :param heading: the lines of the tags, if each is written as in a canonical text.
    """
    log = _within_limit(log)
    progress = _Progress(start)
    fault = _play(ruleset, log, progress) or _judge_result(ruleset, log, progress)
    if fault is None and not log.comments:
        progress.movetext = numbered_movetext(log.tokens, progress.plies, ruleset.number(start), progress.lines) or ""
    if not progress.movetext and (at := _wrong_number(ruleset, start, log, progress)) is not None:
        progress = _Progress(start)
        _play(ruleset, log._replace(tokens=log.tokens[:at], fault=None), progress)
        fault = _fault_at_token(ruleset, log, progress, _wrong(ruleset, progress.state, log.tokens[at]))
    actions, progress.comments = list(compress(log.tokens, progress.words)), _comments_by_ply(log, progress)
    progress.written = written(actions)
    if not (fault or progress.movetext):
        lines = ruleset.number(start), progress.lines
        progress.movetext = format_movetext(actions, lines, progress.comments, progress.result or UNFINISHED)
    return _replay(ruleset, log.tags, seat_tags, progress, fault, heading)


def _replay(
    ruleset: Ruleset[S, A],
    tags: Mapping[str, str],
    seat_tags: tuple[str, ...],
    progress: _Progress[S],
    fault: Fault | None,
    heading: str,
) -> Replay[S, A]:
    """Return what was played; `heading` are the lines of the tags, if each is written as in a canonical text."""
    in_order = are_in_order(tags, seat_tags)
    return Replay(
        ruleset,
        tags if in_order else order_tags(tags, seat_tags),
        progress.start,
        progress.state,
        progress.written,
        progress.lines,
        progress.comments,
        progress.result or UNFINISHED,
        fault,
        progress.movetext,
        heading if in_order else "",
    )


def replay_written(ruleset: Ruleset[S, A], start: S, head: Head, seat_tags: tuple[str, ...]) -> Replay[S, A] | None:
    """Do what `replay` does, faster, for a record with canonical movetext; useful only when compiled (see `bytewise`).

    :returns: None for any other record, and for any fault other than an illegal action.
    """
    text, progress = head.movetext, _Progress(start)
    lines = read_lines(text.encode(), vocabulary(ruleset.parse_action, ruleset.step)) if text.isascii() else None
    if lines is None or not lines.steps or lines.first != ruleset.number(start) or len(lines.steps) > MAX_ACTIONS:
        return None
    progress.add(ruleset.play(start, lines.steps), ())
    fault = None
    if progress.plies < len(lines.steps):
        fault = _fault_in_line(ruleset, head, lines, progress)
        if fault is None:
            return None
    elif not _play_ending(ruleset, head, lines, progress):
        return None
    elif lines.begins[1:] == list(progress.lines):
        progress.movetext = f"{text}\n"
    else:
        actions, numbers = progress.written.tokens(), (lines.first, progress.lines)
        progress.movetext = format_movetext(actions, numbers, {}, progress.result or UNFINISHED)
    return _replay(ruleset, head.tags, seat_tags, progress, fault, head.heading)


def _play_ending(ruleset: Ruleset[S, A], head: Head, lines: Lines, progress: _Progress[S]) -> bool:
    """Play the administrative actions at the end of the last line, and read the result.

    :returns: whether they, the result and all line numbers are right, and nothing else follows. Only a round that
        begins as somebody leaves may have no number.
    """
    text, tags = head.movetext, head.tags
    ending, line_end, progress.result = text[lines.end :].rpartition("\n")
    if not (text[lines.end - 1] == " ") == bool(ending) == bool(line_end):
        return False
    for token in ending.split(" ") if ending else ():
        said = parse_administrative(token)
        if said is None:
            return False
        try:
            _administer(ruleset, progress, said, tags)
        except IllegalMoveError:
            return False
    before = lines.text()
    progress.written = Written(f"{before} {ending}" if ending else before, progress.plies, lines.steps, ending)
    is_due = progress.result == tags["Result"] == due_result(ruleset.outcome(progress.state))
    written = lines.begins[1:]
    later = progress.lines[len(written) :]
    numbered = written == list(progress.lines[: len(written)]) and (not later or later[0] >= len(lines.steps))
    return is_due and numbered and progress.plies <= MAX_ACTIONS


def _fault_in_line(ruleset: Ruleset[S, A], head: Head, lines: Lines, progress: _Progress[S]) -> Fault | None:
    """Return why an action is refused; None if an earlier line number is wrong, or there may be a comment to keep."""
    if "{" in head.movetext or ";" in head.movetext:
        return None
    ply, state = progress.plies, progress.state
    line = bisect_right(lines.begins, ply) - 1
    if ruleset.outcome(state) is not None or lines.begins[1 : line + 1] != list(progress.turn_starts[:line]):
        return None
    words, at = lines.tokens(line), ply - lines.begins[line]
    token, before = words[at], words[:at]
    progress.written = Written(f"{lines.text_before(line)}{' '.join(before)}".rstrip(" "), ply)
    column = len(f"{lines.first + line}. ") + sum(map(len, before)) + len(before) + 1
    try:
        ruleset.apply(state, ruleset.parse_action(token))
    except IllegalMoveError as error:
        return _fault_of_action(ruleset, progress, error, token, (head.first_line + line, column))
    raise RuntimeError(f"{token} is refused for no reason")


def _play(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S]) -> Fault | None:
    """Play every token except numbers: series of actions together, anything between them one by one."""
    known, tokens, last = token_cache(ruleset.parse_action, ruleset.step), log.tokens, len(log.tokens) - 1
    try:
        while (at := progress.read) <= last:
            if progress.result is not None:
                sentence = marked("Nothing may follow the result, found {token!r}.")
                raise IllegalMoveError("AGN-MOVE-4", sentence, token=tokens[at])  # noqa: TRY301
            # The last token is almost never an action, and trying to parse it as one is expensive.
            if at < last and (words := known.read(tokens[at:last])):
                _play_stretch(ruleset, log, progress, words)
            elif RESULT.fullmatch(tokens[at]):
                progress.result = tokens[at]
            elif at == last and (words := known.read(tokens[at:])):
                _play_stretch(ruleset, log, progress, words)
            else:
                _play_other(ruleset, log, progress)
    except (IllegalMoveError, MoveSyntaxError) as error:
        return _fault_at_token(ruleset, log, progress, error)
    return _fault_of_form(log.fault, progress.plies) if log.fault else None


def _play_stretch(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S], words: list[Step | None]) -> None:
    """Play consecutive actions. :raises IllegalMoveError: at the first that is not legal."""
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
    """Return the place of the first wrong number."""
    if None not in progress.words:
        return None
    ply, number, over = 0, ruleset.number(start), ruleset.outcome(progress.state) is not None
    due, turn_starts = f"{number}.", iter(progress.turn_starts)
    turn_start = next(turn_starts, None)
    for at, (word, token) in enumerate(zip(progress.words, log.tokens, strict=False)):
        if word is not None:
            ply += 1
            if ply == turn_start:
                number += 1
                due, turn_start = f"{number}.", next(turn_starts, None)
        elif token != due or (over and ply == progress.plies):
            return at
    return None


def _wrong(ruleset: Ruleset[S, A], state: S, token: str) -> IllegalMoveError:
    """Return what is wrong with a number (AGN-MOVE-2)."""
    if ruleset.outcome(state) is not None:
        return IllegalMoveError("AGN-MOVE-2", "The game is over: expected the result, found {token!r}.", token=token)
    return IllegalMoveError("AGN-MOVE-2", "Expected move number {due}, found {token!r}.",
                            token=token, due=ruleset.number(state))  # fmt: skip


def _play_other(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S]) -> None:
    """Play a token that is not an action, number or result. :raises IllegalMoveError: or MoveSyntaxError."""
    token = log.tokens[progress.read]
    said = parse_administrative(token)
    if said is None:
        ruleset.parse_action(token)
        raise RuntimeError(f"{token} is refused for no reason")
    _administer(ruleset, progress, said, log.tags)
    progress.words.append(token)


def _administer(ruleset: Ruleset[S, A], progress: _Progress[S], said: Administrative, tags: Mapping[str, str]) -> None:
    """Let a seat leave, or both agree to a draw. :raises IllegalMoveError: (AGN-ADMIN-1, 2, AGN-MOVE-4)."""
    before = progress.state
    turn = ruleset.to_act(before)
    if turn is None:
        raise _after_the_end()
    check_administrative(ruleset, said, turn, tags["Seats"].split(" "))
    after = administer(ruleset, before, said)
    progress.add(Played(after, 1, [1] if ruleset.number(after) > ruleset.number(before) else []), ())


def _after_the_end() -> IllegalMoveError:
    return IllegalMoveError("AGN-MOVE-4", "The game already ended with the previous action.")


def _fault_at_token(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S], error: RuleError) -> Fault:
    at = progress.read
    return _fault_of_action(ruleset, progress, error, log.tokens[at], log.token_place(at))


def _fault_of_action(
    ruleset: Ruleset[S, A], progress: _Progress[S], error: RuleError, token: str, place: Place
) -> Fault:
    """Return a token's refusal as a fault; for an action, with some of the legal actions instead."""
    state = progress.state
    over = ruleset.outcome(state) is not None
    if over and isinstance(error, IllegalMoveError) and not error.rule.startswith("AGN-"):
        error = _after_the_end()
    about_action = progress.result is None and not NUMBER.fullmatch(token)
    legal = _some_legal(ruleset, state, token, error) if about_action and not over else None
    written = token if isinstance(error, MoveSyntaxError) else ""
    return fault_of(error, place, written=written, ply=progress.plies, token=token, legal=legal)


def _some_legal(ruleset: Ruleset[S, A], state: S, token: str, error: RuleError) -> tuple[str, ...]:
    """Return some legal actions: first those of the piece that the token, or else the refusal, names."""
    named = {_piece(said): order for order, said in enumerate(reversed([token, *error.params.values()]))}
    named.pop("", None)
    actions = islice(ruleset.legal_actions(state), LOOKED_AT if named else LEGAL_SHOWN)
    some = [ruleset.format_action(action) for action in actions]
    first = sorted(filter(lambda action: _piece(action) in named, some), key=lambda action: -named[_piece(action)])
    return (*first, *[action for action in some if _piece(action) not in named])[:LEGAL_SHOWN]


def _piece(said: object) -> str:
    """Return the piece, or the cell of the piece, that an action or a name begins with; nothing if there is none."""
    found = _PIECE.match(said) if isinstance(said, str) else None
    return found[0] if found else ""


def _fault_of_form(error: AgnError, ply: int) -> Fault:
    return fault_of(error, error.place, ply=ply, token=error.token)


def _judge_result(ruleset: Ruleset[S, A], log: Log, progress: _Progress[S]) -> Fault | None:
    """Return what is wrong with the result, which is checked last (AGN-RESULT-1, AGN-RESULT-2, AGN-TAG-7)."""
    due = due_result(ruleset.outcome(progress.state))
    result, ply, seats = progress.result, progress.plies, log.tags["Seats"].split(" ")
    if result is None:
        sentence = marked("The result is missing; it should be {due}. {why}")
        reason = why(ruleset, progress.state, seats, UNFINISHED)
        return fault_of(
            RuleError("AGN-RESULT-1", sentence, due=due, why=reason), log.token_place(len(log.tokens)), ply=ply
        )
    if result != due:
        error = wrong_result(ruleset, progress.state, seats, result)
        return fault_of(error, log.token_place(len(progress.words)), ply=ply, token=result)
    if log.tags["Result"] != due:
        error = RuleError(
            "AGN-TAG-7",
            "The Result tag says {tag!r}, but the game ends with {due}. {why}",
            tag=log.tags["Result"],
            due=due,
            why=why(ruleset, progress.state, seats, log.tags["Result"]),
        )
        return fault_of(error, log.tag_place("Result"), written=log.tags["Result"])
    return None


def _comments_by_ply(log: Log, progress: _Progress[S]) -> dict[int, str]:
    """Return the comments, each under the ply of the last action before it."""
    if not log.comments:
        return {}
    token_of = [at for at, word in enumerate(progress.words) if word]
    return tidy_comments((bisect_left(token_of, before) - 1, text) for before, text in log.comments)
