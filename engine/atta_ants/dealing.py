"""Deals Atta Ants: the ring around the nest and the order of the other cards (DEAL-SETUP-1, DEAL-DECK-1)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from engine.atta_ants.board import CARDS, KINDS, NEST, NEST_CARD, RING, SIDES, Card, fits_ring, turned
from engine.atta_ants.notation import RECONSTRUCTION_1, parse_deck
from engine.atta_ants.state import PLACE, State
from engine.chance import Stream
from engine.ruleset import Dealer, Dealt, First, TagError

_QUARTERS: Final = len(SIDES)
_NAMED: Final = "reconstruction-1"
_AT: Final = "@"
_DUEL: Final = 2

RING_STAGE: Final = "ring"
DECK_STAGE: Final = "deck"
"""What is drawn in turn: each try of a ring or, in the edition of 2003, of a deck; after a ring the deck."""


def cards(deck: str | None) -> tuple[str, ...]:
    """Return the codes that a `Deck` tag lists, as written; without the tag, those of `reconstruction-1`.

    :raises TagError: for a deck that does not list its cards (DEAL-TAG-1), or is invalid (ATTA-DECK-1, ATTA-CARD-2).
    """
    by_code, _ = parse_deck(_NAMED if deck is None else deck)
    if not by_code:
        raise TagError(
            "Deck", "DEAL-TAG-1", "Deck {deck!r} does not list its cards, so no cards can be dealt from it.", deck=deck
        )
    return tuple((RECONSTRUCTION_1 if deck in (None, _NAMED) else deck).split(" "))


# The ring is drawn


def _deal_ring(codes: tuple[str, ...], stream: Stream) -> Dealt:
    """Draw eight cards and their rotations until all fit; then shuffle the others."""
    while True:
        stream.stage(RING_STAGE)
        left, slots = list(codes), [NEST_CARD]
        for place in range(len(RING)):
            card = _TURNED[stream.bring(left, place)][stream.below(_QUARTERS)]
            if not fits_ring(card, place, slots):
                break
            slots.append(card)
        else:
            stream.stage(DECK_STAGE)
            ring = " ".join([card.code for card in slots[NEST + 1 :]])
            return Dealt(ring, tuple(stream.shuffle(left[len(RING) :])))


_TURNED: Final = {
    code: tuple([turned(card, quarters) for quarters in range(_QUARTERS)]) for code, card in CARDS.items()
}
"""Every card turned clockwise by no to three quarters."""


# The first player lays the ring


def _deal_by_hand(codes: tuple[str, ...], stream: Stream) -> Dealt:
    """Shuffle all cards until the first eight can be laid around the nest; the others keep their order."""
    while True:
        stream.stage(DECK_STAGE)
        shuffled = stream.shuffle(codes)
        ring = shuffled[: len(RING)]
        if _can_be_laid(tuple(sorted([_SHAPES[code] for code in ring])), 0, None):
            return Dealt(" ".join(ring), tuple(shuffled[len(RING) :]))


def _shape(card: Card) -> int:
    """Return what decides where a card fits: its sides with trails, as bits, in the rotation with the least number."""
    return min(turned(card, quarters).edges for quarters in range(_QUARTERS))


_SHAPES: Final = {code: _shape(card) for code, card in CARDS.items()}

Way = tuple[int, int]
"""Whether a card of the ring has a trail towards the one before it, and towards the one after it, clockwise."""


def _ways(shape: int) -> tuple[frozenset[Way], frozenset[Way]]:
    """Return how a card may lie in a corner of the ring, and how beside the nest, to which a trail must lead."""
    corner, edge = set[Way](), set[Way]()
    for side in range(_QUARTERS):
        before, after, across = (shape >> (side - turn) % _QUARTERS & 1 for turn in range(3))
        corner.add((before, after))
        if after:
            edge.add((before, across))
    return frozenset(corner), frozenset(edge)


_WAYS: Final = {shape: _ways(shape) for shape in set(_SHAPES.values())}


@cache
def _can_be_laid(shapes: tuple[int, ...], first: int, last: int | None) -> bool:
    """Return whether cards of given shapes can be laid in any order on the rest of the ring, clockwise.

    Remembered, for there are only six shapes.

    :param first: whether the ring's first card has a trail towards the last place.
    :param last: the same of the card laid last, towards the next place; none before the first card.
    """
    if not shapes:
        return first == last
    beside_nest = (len(RING) - len(shapes)) % 2
    for at, shape in enumerate(shapes):
        others = shapes[:at] + shapes[at + 1 :]
        for before, after in _WAYS[shape][beside_nest]:
            if last in (None, before) and _can_be_laid(others, before if last is None else first, after):
                return True
    return False


def _lay(dealt: str) -> str:
    """Return the first ring found that eight cards can make, place by place."""
    return " ".join([card.code for card in _laid(tuple(dealt.split(" ")), [NEST_CARD]) or ()])


def _laid(left: tuple[str, ...], slots: list[Card]) -> list[Card] | None:
    if not left:
        return slots[NEST + 1 :]
    for at, code in enumerate(left):
        for card in dict.fromkeys(_TURNED[code]):
            if fits_ring(card, len(slots) - 1, slots) and (found := _laid(left[:at] + left[at + 1 :], [*slots, card])):
                return found
    return None


# Both editions


def _played(actions: Sequence[str]) -> Iterator[str]:
    """Yield the cards played, including those set aside."""
    return (token.partition(_AT)[0] for token in actions if _AT in token)


def _kind(code: str) -> str:
    return CARDS[code].kind


def _coming(state: State) -> tuple[str, ...]:
    known = state.phase == PLACE and state.table.by_code
    return tuple([KINDS[letter] for letter in state.stock]) if known else ()


def _are_same_cards(dealt: str, setup: str) -> bool:
    """Return whether a ring consists of the cards dealt, in any order and rotation."""
    one, other = (sorted(map(_kind, ring.split(" "))) for ring in (dealt, setup))
    return one == other


def _first_online(seats: int) -> tuple[First, ...]:
    """Return who begins: with two players the one who opened the table, otherwise it is drawn."""
    return (First.OPENER,) if seats == _DUEL else (First.DRAWN,)


def _first_in_2003(_seats: int) -> tuple[First, ...]:
    return (First.OLDEST,)


RING_DRAWN: Final = Dealer(
    deal=_deal_ring, has_deck=True, cards=cards, played=_played, kind=_kind, first=_first_online, coming=_coming
)
"""The edition `online`."""
RING_LAID_BY_HAND: Final = replace(
    RING_DRAWN, deal=_deal_by_hand, is_setup=_are_same_cards, first=_first_in_2003, lay=_lay
)
"""The edition `2003`."""

__all__ = ["RING_DRAWN", "RING_LAID_BY_HAND"]
