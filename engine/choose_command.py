"""`python -m engine choose`: the action that a built-in bot chooses after a record, for playing against it."""

import argparse
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import process_time
from typing import Any, BinaryIO, Final

from engine.chance import Stream
from engine.deal_command import LineError, check_keys, read_objects
from engine.searching import Search, Strength, choose
from engine.searching.search import NODES, Numbers
from engine.verify import Verdict, verify_bytes

_KEYS: Final = ("text", "drawn")


class ChoiceError(ValueError):
    """A record for which no action can be chosen: the part at fault, and why."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(why)
        self.what = what

    def as_json(self) -> dict[str, Any]:
        """Return the error as the command line prints it."""
        return {"error": {"what": self.what, "why": str(self)}}


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: its strength, its random numbers, and its limits for each choice."""

    strength: Strength
    numbers: Numbers
    nodes: int
    """How many positions it may look at."""
    begin: Callable[[], Callable[[], bool]]
    """Begins a choice, and returns what says whether its time is up."""

    def choice(self, verdict: Verdict, drawn: str | None) -> dict[str, Any]:
        """Return the bot's action after a record.

        :param drawn: the card that was drawn; if none is given, a possible one is drawn at random.
        :raises ChoiceError:
        """
        replay = verdict.replay
        if replay is None or verdict.fault:
            raise ChoiceError("text", verdict.fault.message if verdict.fault else "There is no game.")
        ruleset, state = replay.ruleset, replay.last
        seat, cards = ruleset.to_act(state), ruleset.dealer.coming(state)
        if seat is None:
            raise ChoiceError("text", "The game is over.")
        if drawn is not None and not any(_is_same(ruleset.dealer.kind, card, drawn) for card in cards):
            raise ChoiceError("drawn", f"No card {drawn!r} can come here.")
        seats = len(replay.tags["Seats"].split(" "))
        search = Search(ruleset, self.numbers, seats, self.nodes, self.begin())
        token = ruleset.format_action(choose(search, state, self.strength, drawn))
        return {"ply": len(replay.actions), "turn": seat, "token": token}

    def answers(self, stream: BinaryIO) -> Iterator[dict[str, Any] | LineError]:
        """Yield the bot's action after the record on each line: an object with `text`, and `drawn` if a card came."""
        for number, given in read_objects(stream):
            if isinstance(given, LineError):
                yield given
                continue
            try:
                yield self._answer(number, given)
            except ChoiceError as error:
                yield LineError(number, error.what, str(error))
            except LineError as error:
                yield error

    def _answer(self, number: int, given: dict[str, Any]) -> dict[str, Any]:
        given.setdefault("drawn", None)
        check_keys(number, given, _KEYS)
        text, drawn = given["text"], given["drawn"]
        if not isinstance(text, str):
            raise ChoiceError("text", "This is not a string.")
        if drawn is not None and not isinstance(drawn, str):
            raise ChoiceError("drawn", "This is neither null nor a string.")
        verdicts = verify_bytes(text.encode())
        if len(verdicts) != 1:
            raise ChoiceError("text", f"One record is expected; there are {len(verdicts)}.")
        return self.choice(verdicts[0], drawn)


def _is_same(kind: Callable[[str], str], card: str, drawn: str) -> bool:
    try:
        return kind(card) == kind(drawn)
    except KeyError:  # no card at all
        return False


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--strength", choices=list(Strength), default=Strength.SEARCHING, help="default: searching")
    parser.add_argument("--milliseconds", type=_count, default=200, metavar="N", help="of CPU for each choice: 200")
    parser.add_argument("--positions", type=_count, default=NODES, metavar="N", help="to look at for each choice")
    parser.add_argument("--seed", metavar="TEXT", help="repeats the same choices, unless time runs out")
    parser.add_argument("--drawn", metavar="CARD", help="the card that was drawn, in any rotation")
    parser.add_argument("--lines", action="store_true", help="read one object a line: text, and drawn if a card came")


def bot_of(options: argparse.Namespace) -> Bot:
    """Return the bot that the options describe."""
    numbers = Stream("choose", options.seed or secrets.token_hex())
    return Bot(Strength(options.strength), numbers, options.positions, lambda: _time_up(options.milliseconds))


def _time_up(milliseconds: int) -> Callable[[], bool]:
    """Return a function that says whether so much CPU time has been used since now."""
    until = process_time() + milliseconds / 1000
    return lambda: process_time() > until


__all__ = ["Bot", "ChoiceError", "add_options", "bot_of"]
