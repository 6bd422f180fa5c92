"""How a game of Atta Ants begins."""

from typing import Final

from engine.atta_ants.board import NEST, NOWHERE, SPIDER, Card, lay_ring, leaves_on, letter_of, misfit
from engine.atta_ants.state import COLONY, PLACE, State, Table, cell_name, make_state
from engine.ruleset import TagError

_COLONY: Final = (NEST,) * 2 + (NOWHERE,) * (COLONY - 2)
_NOBODY: Final[frozenset[int]] = frozenset()


def start(table: Table, stock: str, ring: tuple[Card, ...]) -> State:
    """Return the position before the first card: the ring is laid, and each colony has two ants in the nest.

    :raises TagError: when the ring does not fit together (ATTA-PLACE-2) or the deck does not hold it (ATTA-DECK-2).
    """
    board = lay_ring(ring)
    slot = misfit(board.cards)
    if slot is not None:
        raise TagError("Setup", "ATTA-PLACE-2", "Card {card} does not fit at {cell}: trail must meet trail.",
                       card=board.cards[slot].code, cell=cell_name(board.cells[slot]))  # fmt: skip
    leaves, spiders = [0], list[int]()
    for slot, card in enumerate(ring, NEST + 1):
        at = stock.find(letter_of(card, by_code=table.by_code))
        if at < 0:
            raise TagError("Setup", "ATTA-DECK-2", "Setup has more cards like {card} than there are.",
                           card=card.code)  # fmt: skip
        stock = stock[:at] + stock[at + 1 :]
        leaves.append(leaves_on(card))
        if card.symbol == SPIDER:
            spiders.append(slot)
    seats = len(table.seats)
    fields = (
        table, board, stock, 1, 0, tuple(spiders), PLACE, (), _COLONY * seats, 0, 0, 0, tuple(leaves), (), (),
        (0,) * seats, _NOBODY, (), None,
    )  # fmt: skip
    return make_state(State, fields)


__all__ = ["start"]
