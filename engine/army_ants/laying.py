"""How the cards of Army Ants are laid out."""

from collections import Counter
from typing import Final

from engine.army_ants.board import BLACK, CELLS, DEALT, GAP, NAMES, RANKS, RED, ROWS, WIDTH, side_of
from engine.army_ants.scene import GROUND_PIECES, card_piece
from engine.army_ants.scene.drawings import CELL_HEIGHT, CELL_WIDTH, draw
from engine.army_ants.scene.layout import BOX, LABELS, centre
from engine.army_ants.scene.names import COLOURS, title_of
from engine.army_ants.state import COLONIES, SEATS
from engine.scene.values import Scene, in_order
from engine.touches import Kind, Laid, Laying, Spot, Way
from engine.words import Words, words

_CELLS: Final = [cell for row in reversed(range(ROWS)) for cell in range(row * WIDTH, (row + 1) * WIDTH)]
"""In the order of the `Setup` tag."""


def _spot(cell: int) -> Spot:
    x, y = centre(cell)
    place = (x - CELL_WIDTH / 2, y - CELL_HEIGHT / 2, CELL_WIDTH, CELL_HEIGHT)
    return Spot(NAMES[cell], words("{cell}", cell=NAMES[cell]), place)


def _kinds(_: str | None, laid: Laid) -> tuple[tuple[Words, tuple[Kind, ...]], ...]:
    lying = Counter(laid.values())
    return tuple(
        (COLONIES[seat], tuple(_kind(seat, letter, lying[SEATS[seat] + letter]) for letter in reversed(RANKS)))
        for seat in (RED, BLACK)
    )


def _kind(seat: int, letter: str, lying: int) -> Kind:
    cards = DEALT[seat, letter]
    name, label = SEATS[seat] + letter, title_of(cards[0])
    symbol = f"{'queen' if letter == RANKS[0] else 'card'}-{COLOURS[seat]}"
    return Kind(name, symbol, label, len(cards) - lying, len(cards), (Way(name, symbol, label),), letter)


def _fits(_: Laid, key: str, part: str) -> bool:
    """Say whether a card lies on its colony's side (ARMY-SETUP-1)."""
    return SEATS[side_of(CELLS[key])] == part[0]


def _setup(laid: Laid) -> str:
    letters = "".join(laid.get(NAMES[cell], " .")[1] for cell in _CELLS)
    return "/".join(letters[row * WIDTH : (row + 1) * WIDTH] for row in range(ROWS))


def _scene(laid: Laid) -> Scene:
    cards, dealt = [], Counter[str]()
    for cell in reversed(_CELLS):
        if part := laid.get(NAMES[cell]):
            cards.append(card_piece(DEALT[SEATS.index(part[0]), part[1]][dealt[part]], cell))
            dealt[part] += 1
    return Scene(BOX, (*GROUND_PIECES, *in_order(cards)), draw, labels=LABELS)


LAYING: Final = Laying(
    spots=tuple(_spot(cell) for cell in _CELLS if cell not in GAP),
    kinds=_kinds,
    fits=_fits,
    setup=_setup,
    scene=_scene,
)

__all__ = ["LAYING"]
