"""How the ring of Atta Ants is laid out, card by card."""

from collections import Counter
from functools import cache
from typing import Final

from engine.atta_ants.board import (
    CARDS,
    LEAF,
    NEST_CARD,
    PLAIN,
    RING,
    ROTATIONS,
    SIDES,
    SPIDER,
    STEP,
    Card,
    Cell,
    letter_of,
    opposite,
    turned,
)
from engine.atta_ants.notation import parse_deck
from engine.atta_ants.scene import card_piece
from engine.atta_ants.scene.drawings import CARD, HALF, draw, symbol_of
from engine.atta_ants.scene.layout import centre
from engine.scene.values import GROUND, Box, Piece, Scene, in_order
from engine.touches import Kind, Laid, Laying, Spot, Way
from engine.words import Words, words

_NEST: Final[Cell] = (0, 0)
GROUPS: Final = {LEAF: words("Leaf"), SPIDER: words("Spider"), PLAIN: words("Plain")}
"""The cards by what they bear."""
_SPOTS: Final = dict(zip(("NW", "N", "NE", "W", "E", "SW", "S", "SE"), RING, strict=True))
_KEYS: Final = {cell: key for key, cell in _SPOTS.items()}
_PLACES: Final = (
    words("north-west of the nest"),
    words("north of the nest"),
    words("north-east of the nest"),
    words("west of the nest"),
    words("east of the nest"),
    words("south-west of the nest"),
    words("south of the nest"),
    words("south-east of the nest"),
)
_MARGIN: Final = 1.5 * CARD + 6
"""From the nest's middle to the edge of the ring's picture."""
_FIRST_DECK: Final = "reconstruction-1"


def place_of(cell: Cell) -> tuple[float, float, float, float]:
    """Return the place of a card at a cell."""
    x, y = centre(cell)
    return x - HALF, y - HALF, CARD, CARD


@cache
def drawn(card: Card) -> tuple[str, int]:
    """Return the drawing of a card's kind, and by how many quarters it is turned."""
    upright = ROTATIONS[card.kind][0]
    return symbol_of(upright, _NEST), next(quarters for quarters in range(4) if turned(upright, quarters) == card)


def _kinds(deck: str | None, laid: Laid) -> tuple[tuple[Words, tuple[Kind, ...]], ...]:
    by_code, stock = parse_deck(deck or _FIRST_DECK)
    whole = Counter(stock)
    lying = Counter(letter_of(CARDS[part], by_code=by_code) for part in laid.values())
    found: dict[str, list[Kind]] = {symbol: [] for symbol in GROUPS}
    for card, *_ in ROTATIONS.values():
        letter = letter_of(card, by_code=by_code)
        if whole[letter]:
            stocked = _kind(card, whole[letter] - lying[letter], whole[letter])
            found[card.symbol].append(stocked._replace(shared=not by_code))
    return tuple((label, tuple(found[symbol])) for symbol, label in GROUPS.items())


def _kind(card: Card, left: int, of: int) -> Kind:
    symbol, _ = drawn(card)
    ways = tuple(
        Way(other.code, symbol, words("as {card}", card=other.code), 90 * drawn(other)[1])
        for other in ROTATIONS[card.kind]
    )
    return Kind(card.code, symbol, words("Card {card}", card=card.code), left, of, ways)


def _fits(laid: Laid, key: str, part: str) -> bool:
    """Return whether a card fits the nest and the cards beside it (ATTA-PLACE-2)."""
    x, y = _SPOTS[key]
    card = CARDS[part]
    for side in range(len(SIDES)):
        dx, dy = STEP[side]
        beside = _card_at(laid, (x + dx, y + dy))
        if beside and card.edges >> side & 1 != beside.edges >> opposite(side) & 1:
            return False
    return True


def _card_at(laid: Laid, cell: Cell) -> Card | None:
    if cell == _NEST:
        return NEST_CARD
    code = laid.get(_KEYS.get(cell, ""))
    return CARDS[code] if code else None


def _setup(laid: Laid) -> str:
    return " ".join(laid.get(key, "") for key in _SPOTS)


def _scene(laid: Laid) -> Scene:
    cards = [card_piece(CARDS[code], _SPOTS[key]) for key, code in laid.items()]
    nest = Piece("nest", "nest", 0, 0, GROUND, title=words("Nest"))
    box = Box(-_MARGIN, -_MARGIN, 2 * _MARGIN, 2 * _MARGIN)
    return Scene(box, in_order([card_piece(NEST_CARD, _NEST), nest, *cards]), draw)


LAYING: Final = Laying(
    spots=tuple(Spot(key, label, place_of(cell)) for (key, cell), label in zip(_SPOTS.items(), _PLACES, strict=True)),
    kinds=_kinds,
    fits=_fits,
    setup=_setup,
    scene=_scene,
    decks=((_FIRST_DECK, words("Atta’s own deck")), ("printed", words("The printed cards"))),
)

__all__ = ["GROUPS", "LAYING", "drawn", "place_of"]
