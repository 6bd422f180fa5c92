"""The result of a replay: the legal prefix of a log and its first fault, with its states if needed."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any, Generic, TypeVar

from engine.agn.administrative import administer, parse_administrative
from engine.agn.canonical import format_tags, game_digest, json_form, likeness_digest
from engine.agn.log import Place
from engine.agn.names import name_key, site_of
from engine.agn.typographic import damage, misspelt
from engine.ruleset import RuleError, Ruleset
from engine.words import Words, marked, render
from engine.written import Written

S = TypeVar("S")
A = TypeVar("A")


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
        return render(self.template, self.params)


def fault_of(error: RuleError, place: Place, *, written: str = "", **more: Any) -> Fault:  # noqa: ANN401 (a fault's own fields)
    """Return a rule's refusal as a fault at a place.

    :param written: what is refused, if a typographic character in it may be why: that is said then.
    """
    template, params = error.template, dict[str, Any](error.params)
    if written and (found := damage(written) or (misspelt(written) if more.get("token") else None)):
        template, params = also_said(template, params, found)
    return Fault(error.rule, place[0], place[1], template, params, **more)


def also_said(template: str, params: Mapping[str, Any], more: Words) -> tuple[str, dict[str, Any]]:
    """Return the template and the parameters of a refusal with one more sentence."""
    return marked("{refused} {damage}"), {"refused": Words(template, tuple(params.items())), "damage": more}


@dataclass
class Replay(Generic[S, A]):
    """The legal prefix of a log, and its first fault.

    Nobody changes one; it is not frozen, because to make a frozen one takes several times as long (`bench/`).
    """

    ruleset: Ruleset[S, A]
    tags: Mapping[str, str]
    """In canonical order."""
    start: S
    last: S
    """The state after every legal action."""
    written: Written
    """The legal actions."""
    turn_starts: Sequence[int]
    """The plies with which a new round or pair of turns begins, the first left out."""
    comments: Mapping[int, str]
    """By ply; -1 for the one before the first action."""
    result: str
    fault: Fault | None
    movetext: str = ""
    """What of the canonical text follows the tags, of a record without a fault."""
    heading: str = field(default="", compare=False)
    """The lines of the tags in the canonical text, where they are known already."""

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The tokens of the legal actions."""
        return tuple(self.written.tokens())

    @property
    def plies(self) -> int:
        """How many legal actions there are."""
        return self.written.plies

    @cached_property
    def states(self) -> tuple[S, ...]:
        """The initial state and the state after every legal action, computed when first needed."""
        states = [self.start]
        for token in self.actions:
            states.append(_after(self.ruleset, states[-1], token))
        return tuple(states)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """For each action, the number of its round or pair of turns."""
        first = self.ruleset.number(self.start)
        return tuple([first + bisect_right(self.turn_starts, ply) for ply in range(len(self.actions))])

    @property
    def names(self) -> dict[str, str]:
        """The players' names as they are looked up and shown, in turn order, by the letters of their seats."""
        seats = self.tags["Seats"].split(" ")
        return {letter: name_key(self.tags[self.ruleset.seat(letter).tag]) for letter in seats}

    @property
    def site(self) -> str:
        """Where the names are used, as it is looked up: the Site tag; empty without one."""
        return site_of(self.tags)

    @property
    def left_in(self) -> dict[str, int]:
        """The round, or pair of turns, in which each seat left, by the letter of those that did."""
        first = self.ruleset.number(self.start)
        said = [(ply, parse_administrative(token)) for ply, token in enumerate(self.actions)]
        return {one.letter: first + bisect_right(self.turn_starts, ply) for ply, one in said if one and one.letter}

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end."""
        return self.ruleset.outcome(self.last) is not None

    def turns(self) -> Iterator[tuple[int, str, range]]:
        """Yield the actions by seats: the number of the round or pair, the letter of the seat, and its plies."""
        to_act, states, numbers = self.ruleset.to_act, self.states, self.numbers
        plies = groupby(range(len(self.actions)), key=lambda ply: (numbers[ply], to_act(states[ply]) or ""))
        for (number, letter), found in plies:
            first, *others = found
            yield number, letter, range(first, first + 1 + len(others))

    def text(self) -> str:
        """Return the canonical text of a record without a fault."""
        return f"{self.heading or format_tags(self.tags)}\n{self.movetext}"

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form of a record without a fault."""
        return json_form(self.tags, self.actions, self.comments, self.result)

    def digest(self) -> str:
        """Return the game digest."""
        return game_digest(self.tags, self.written.text, self.result)

    def likeness(self) -> str:
        """Return the likeness of a record without a fault: the same for all ways to write the same play."""
        return likeness_digest(self.tags, self.ruleset.likeness(self.tags, self.written), self.result)


def _after(ruleset: Ruleset[S, A], state: S, token: str) -> S:
    """Return the state after a legal action, administrative or not."""
    if said := parse_administrative(token):
        return administer(ruleset, state, said)
    return ruleset.apply(state, ruleset.parse_action(token))
