"""What a game must supply to be recorded, verified, drawn and ranked, and the errors that its rules raise."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from engine.chance import Stream
from engine.openings import OpeningParts
from engine.positions import PositionParts
from engine.rounds import Round
from engine.steps import Played
from engine.words import Words, render, words
from engine.written import Written

if TYPE_CHECKING:
    from engine.shown import Shown

S = TypeVar("S")
"""A position: an immutable, hashable value."""

A = TypeVar("A")
"""An action as its token says it, before anybody asks whether it is legal."""

Step = Any
"""An action made ready to be played quickly, as its game understands it; always true."""

Tags = Mapping[str, str]


class RuleError(ValueError):
    """A rule is broken; `rule` is its id.

    The sentence is stored as a template and parameters, so that it can be translated; a parameter that needs
    translation itself is `Words`.
    """

    def __init__(self, rule: str, template: str, /, **params: object) -> None:
        super().__init__(render(template, params))
        self.rule = rule
        self.template = template
        self.params = params


class TagError(RuleError):
    """A tag holds what its rule does not allow; `tag` is the tag's name."""

    def __init__(self, tag: str, rule: str, template: str, /, **params: object) -> None:
        super().__init__(rule, template, **params)
        self.tag = tag


class MoveSyntaxError(RuleError):
    """A token is not an action of this game in any position."""


class IllegalMoveError(RuleError):
    """An action is well formed but not allowed in this position."""


def accepted(
    play: Callable[[S, Sequence[Step]], Played[S]], step: Callable[[A], Step], state: S, candidates: Iterable[A]
) -> Iterator[A]:
    """Return the candidates that can be played; `play` alone decides what is legal."""
    return (action for action in candidates if play(state, (step(action),)).plies)


def one_by_one(apply: Callable[[S, A], S], number: Callable[[S], int]) -> Callable[[S, Sequence[tuple[A]]], Played[S]]:
    """Return a `Ruleset.play` that goes through every position, for a game without a faster one."""

    def play(state: S, steps: Sequence[tuple[A]]) -> Played[S]:
        plies, turn_starts = 0, list[int]()
        for (action,) in steps:
            try:
                following = apply(state, action)
            except IllegalMoveError:
                break
            plies += 1
            if number(following) > number(state):
                turn_starts.append(plies)
            state = following
        return Played(state, plies, turn_starts)

    return play


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at the table: its letter in a log, the tag with its player's name, the name of its colour."""

    letter: str
    tag: str
    colour: str
    is_at_head: bool = False
    """Whether its own side of the board is drawn at the head, so that its player sees the board turned by half."""

    @property
    def name(self) -> Words:
        """What people call it: by its colour."""
        return Words(self.tag)

    @property
    def lettered(self) -> Words:
        """Its name with the letter that stands for it in a log."""
        return words("{colour} ({letter})", colour=self.name, letter=self.letter)


class Termination(StrEnum):
    """How a game ended: played to its end, or resigned, timed out or agreed."""

    PLAYED = "played"
    """By the game's own rules, also where somebody had left it before."""
    RESIGNED = "resigned"
    TIMED_OUT = "timed_out"
    """The last action was a seat's leaving, and it ended the game (AGN-ADMIN-1)."""
    AGREED = "agreed"
    """The players agreed to a draw (AGN-ADMIN-2)."""

    @property
    def by_leaving(self) -> bool:
        """Whether the game ended because a seat left it."""
        return self in (Termination.RESIGNED, Termination.TIMED_OUT)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the place of each seat in seat order (shared places alike), the rule that says so, and why."""

    placements: tuple[int, ...]
    rule: str
    reason: Words
    termination: Termination = Termination.PLAYED


UNFINISHED: Final = "*"
"""The result of a record whose game goes on (AGN-RESULT-2)."""


def due_result(outcome: Outcome | None) -> str:
    """Return the result that a record has to have, by how its game ended."""
    return _joined(outcome.placements) if outcome else UNFINISHED


@cache
def _joined(placements: tuple[int, ...]) -> str:
    return "-".join(map(str, placements))


class First(StrEnum):
    """Who begins a game that is dealt at a table."""

    DRAWN = "drawn"
    OPENER = "opener"
    """Who opened the table."""
    OLDEST = "oldest"


WON: Final = 1000.0
"""What `Ruleset.evaluate` says of the only winner of a game."""


def standing(placements: Sequence[int], seat: int) -> float:
    """Return the `evaluate` of a finished game: WON for a sole winner, -WON for a sole last place."""
    own = placements[seat]
    beaten = sum([(place > own) - (place < own) for place in placements])
    return WON * beaten / (len(placements) - 1)


class Dealt(NamedTuple):
    """A dealt game before its first action."""

    setup: str
    """The value of the `Setup` tag; where the first player lays the cards, these cards."""
    deck: tuple[str, ...] | None = None
    """The cards in the order in which they come; none for a game without a deck."""


def no_cards(_actions: Sequence[str]) -> tuple[str, ...]:
    """Serve as `Dealer.played` for a game without a deck."""
    return ()


def none_coming(_state: object) -> tuple[str, ...]:
    """Serve as `Dealer.coming` for a game without a deck."""
    return ()


def no_deck(deck: str | None) -> tuple[str, ...]:
    """Serve as `Dealer.cards` for a game without a deck."""
    if deck is not None:
        raise TagError("Deck", "DEAL-TAG-1", "This game has no deck.")
    return ()


def drawn_or_chosen(_seats: int) -> tuple[First, ...]:
    """Serve as `Dealer.first` for a game in which the players decide who begins."""
    return First.DRAWN, First.OPENER


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dealer:
    """How a game is dealt by chance (`engine/dealing/`). A game without a deck supplies `deal` alone."""

    deal: Callable[[tuple[str, ...], Stream], Dealt]
    """Deals from some cards, or from none, with the numbers that a stream gives. :raises StreamUsedUpError:"""
    has_deck: bool = False
    cards: Callable[[str | None], tuple[str, ...]] = no_deck
    """The cards that the `Deck` tag names, as it has them; without a value the usual ones.
    :raises TagError: when it does not say card by card what there is."""
    is_setup: Callable[[str, str], bool] = eq
    """Whether what was dealt as the setup and the value of a `Setup` tag are the same."""
    played: Callable[[Sequence[str]], Iterable[str]] = no_cards
    """The cards of the deck that some actions, as tokens, played."""
    kind: Callable[[str], str] = str
    """What a card has in common with itself in any rotation, and with no other."""
    first: Callable[[int], tuple[First, ...]] = drawn_or_chosen
    """In which ways it may be settled who begins among so many seats, the usual one first."""
    lay: Callable[[str], str] | None = None
    """A `Setup` that the first player can lay with the cards dealt; none where the setup is dealt as it is."""
    coming: Callable[[Any], Sequence[str]] = none_coming
    """The kinds of the cards of which the next action plays one, each as often as it is left in the deck; none where
    the next action plays no card, or where the cards of the deck are not known."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ruleset(Generic[S, A]):
    """One edition of one game's rules, as the functions that the rest of the code may call. There is one of each."""

    slug: str
    """Names the ruleset in addresses and ladders, such as `atta-ants-online`."""
    game: str
    """The value of the `Game` tag."""
    edition: str
    """The value of the `Rules` tag."""
    title: str
    """The ruleset's name for people, a template to be translated."""
    seats: tuple[Seat, ...]
    """All colours that the game knows."""
    seatings: frozenset[tuple[str, ...]]
    """Every line of seats, as letters in turn order, that the `Seats` tag may hold (AGN-TAG-4); four seats at the most,
    for ladders count four places."""
    minutes: int
    """About how long a game takes at a table."""
    rules: Path
    """The numbered rules, in Markdown."""

    initial: Callable[[Tags], S]
    """The position that `Seats`, `Setup` and `Deck` describe. :raises TagError:"""
    parse_action: Callable[[str], A]
    """Reads a token. :raises MoveSyntaxError:"""
    format_action: Callable[[A], str]
    """Writes an action in its canonical form; undoes `parse_action`."""
    apply: Callable[[S, A], S]
    """The position after an action. :raises IllegalMoveError:"""
    step: Callable[[A], Step]
    """Makes an action ready for `play`."""
    play: Callable[[S, Sequence[Step]], Played[S]]
    """Plays a series of actions up to the first that `apply` would refuse, without the positions between."""
    legal_actions: Callable[[S], Iterable[A]]
    """Every action that `apply` accepts here, in a fixed order, administrative ones left out."""
    to_act: Callable[[S], str | None]
    """The letter of the seat whose turn it is to act; none when the game is over."""
    number: Callable[[S], int]
    """The number of the round, or pair of turns, to which the next action belongs (AGN-MOVE-2)."""
    round: Callable[[S], Round]
    """How far that round, or pair of turns, has come."""
    leave: Callable[[S, str, Termination], S]
    """The position after the seat of a letter has resigned, whoever's turn it is, or run out of time in its own turn
    (AGN-ADMIN-1). :raises IllegalMoveError: when the seat is no longer in the game."""
    agree_draw: Callable[[S], S]
    """The position after both seats of two agreed to a draw (AGN-ADMIN-2)."""
    outcome: Callable[[S], Outcome | None]
    """How the game ended; none while it goes on."""
    explain: Callable[[S], Sequence[Words]]
    """In sentences with rule ids: why the game goes on, or, beside the outcome's reason, what decided the places."""
    likeness: Callable[[Tags, Written], str]
    """A text that two legal records share exactly when they are the same play written otherwise: turned, mirrored,
    with other colours where turn order alone counts. From the tags and the tokens of all actions, so that nothing is
    played once more."""
    positions: PositionParts[S]
    """When two positions are the same, so that games that reached one can be found."""
    openings: OpeningParts | None = None
    """How games are grouped by how they began; none for a game that the explorer of openings leaves out."""
    dealer: Dealer
    """How the game is dealt by chance, so that it can be checked."""
    evaluate: Callable[[S, str], float]
    """How well the seat of a letter stands, as far as that can be seen without looking ahead, from what everybody may
    know: more is better, 0 is even, and of two seats the one has what the other lacks. `standing` when it is over."""
    describe: Callable[[S], dict[str, Any]]
    """The state as the record format shows it to programs."""
    load_shown: "Callable[[], Shown[S, A]]"
    """Imports how the game is shown, when it is first shown: a record is verified without it."""

    @property
    def shown(self) -> "Shown[S, A]":
        """How the game is shown."""
        return self.load_shown()

    def seat(self, letter: str) -> Seat:
        """Return the seat with a letter. :raises KeyError: when the game has none."""
        for seat in self.seats:
            if seat.letter == letter:
                return seat
        raise KeyError(letter)
