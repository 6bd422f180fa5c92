"""What a game supplies for play by touch: the pieces, places and choices to touch for each action, in order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from engine.words import Words

S = TypeVar("S")
A = TypeVar("A")

CHOICE: Final = "choice:"
"""With what the target of a choice begins: a button or an entry of a list, and nothing on the board."""
SPOT: Final = "place:"
"""With what a target begins that is on the board and no piece of it."""

Rectangle = tuple[float, float, float, float]
"""A north-west corner and a size, in scene units."""


class Ghost(NamedTuple):
    """A preview of where a piece will be. Values left out are those of the piece with this id, if there is one."""

    id: str
    x: float
    y: float
    turn: float | None = None
    """Degrees clockwise from north."""
    symbol: str = ""
    layer: int | None = None
    size: float | None = None
    classes: tuple[str, ...] = ()


class Touch(NamedTuple):
    """One of the touches for an action."""

    target: str
    """A piece's id, a place (`place:2,1`) or a choice (`choice:+`)."""
    part: str
    """What it adds to the token; nothing while the rest decides that."""
    label: Words
    """What it does, in words."""
    ghosts: tuple[Ghost, ...] = ()
    way: tuple[tuple[float, float], ...] = ()
    badge: str = ""
    """A few characters to be shown at the target, such as the number of steps to it."""
    place: Rectangle | None = None
    """Where the target is, if it is a place."""


Spelling = tuple[Touch, ...]
"""The touches that lead to an action. Their parts, joined, are its token, or the token's pieces in another order."""


class Refusal(Protocol):
    """A rule's id and a sentence, such as an `engine.ruleset.RuleError`."""

    rule: str
    template: str
    params: dict[str, Any]


Meant = str | Refusal
"""An action that may have been meant, as its token, or why no action can be."""


class Must(NamedTuple):
    """Something that must be done before something else is allowed."""

    target: str
    refusal: Refusal
    """Why that is refused until then."""


class PickedCard(NamedTuple):
    """A card that may come."""

    code: str
    """The card in any rotation."""
    symbol: str
    left: int
    of: int
    """How many may still come, and how many the deck has."""
    label: Words
    shared: bool = False
    """Whether all cards of its group come from one stock, so that each is left as often as all together."""


class Spot(NamedTuple):
    """A place for something that is laid before the game begins."""

    key: str
    label: Words
    place: Rectangle


class Way(NamedTuple):
    """A way in which a card or a tile can lie; `part` names it, as it is laid."""

    part: str
    symbol: str
    label: Words
    turn: float = 0


class Kind(NamedTuple):
    """Cards or tiles that are alike."""

    name: str
    symbol: str
    label: Words
    left: int
    of: int
    """How many may still be laid, and how many there are."""
    ways: tuple[Way, ...]
    text: str = ""
    """What is written on it."""
    shared: bool = False
    """Whether all kinds of its group come from one stock, so that each is left as often as all together."""


def left_of(cards: Sequence[PickedCard | Kind]) -> int:
    """Return how many cards of a group are left."""
    left = [card.left for card in cards]
    return max(left, default=0) if any(card.shared for card in cards) else sum(left)


Laid = Mapping[str, str]
"""What lies on each spot, by their keys."""


class Picker(NamedTuple):
    """A question that only somebody at the table can answer: which card was drawn."""

    label: Words
    groups: tuple[tuple[Words, tuple[PickedCard, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Laying:
    """How a game is laid out before it begins, spot by spot."""

    spots: tuple[Spot, ...]
    kinds: Callable[[str | None, Laid], tuple[tuple[Words, tuple[Kind, ...]], ...]]
    """What there is to lay from a deck, in groups, when some of it lies. :raises TagError: for a deck that is none."""
    fits: Callable[[Laid, str, str], bool]
    """Whether something matches at a spot, `fits(laid, key, part)`; that enough of it is left is not asked."""
    setup: Callable[[Laid], str]
    """The value of the `Setup` tag, if this is all."""
    scene: Callable[[Laid], Any]
    """What it looks like so far, an `engine.scene.Scene`."""
    decks: tuple[tuple[str, Words], ...] = ()
    """The values of the `Deck` tag that need no list, the usual one first."""
    in_order: bool = True
    """Whether one spot is filled after the other."""


def _nothing(_: Any) -> tuple[Must, ...]:  # noqa: ANN401 (any game's position)
    return ()


def _nothing_meant(_: Any, __: Sequence[str], ___: str, ____: str | None) -> tuple[Meant, ...]:  # noqa: ANN401
    return ()


def _no_picker(_: Any) -> None:  # noqa: ANN401
    return None


def _any_card(_: Any, __: str) -> bool:  # noqa: ANN401
    return True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Touching(Generic[S, A]):
    """What a game supplies so that it can be played by touching its board. Most games need only `spell`."""

    spell: Callable[[S, A], tuple[Spelling, ...]]
    """The ways to touch a legal action, of which there is at least one; the likeliest first."""
    meant: Callable[[S, Sequence[str], str, str | None], Iterable[Meant]] = _nothing_meant
    """The actions that somebody may have meant by a touch that is not legal, the likeliest first:
    `meant(state, before, target, drawn)`, with the targets touched before and the card that is drawn, if it is known.
    The first one that the rules refuse says why."""
    musts: Callable[[S], tuple[Must, ...]] = _nothing
    picker: Callable[[S], Picker | None] = _no_picker
    """What to ask where a card is to be drawn; the first touch of each spelling is then a card."""
    laying: Laying | None = None
    """How the game is laid out; none where nobody needs help with that."""
    plays: Callable[[A, str], bool] = _any_card
    """Whether an action plays a card, given by its code in any rotation."""
