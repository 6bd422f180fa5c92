"""Deals Army Ants: the cards of Black, then those of Red (DEAL-SETUP-1)."""

from typing import Final

from engine.army_ants.board import COLONY, ROWS, WIDTH
from engine.chance import Stream
from engine.ruleset import Dealer, Dealt

_CARDS: Final = "AA2233445566778899Q"
_EMPTY: Final = "."
_MIDDLE: Final = WIDTH // 2
"""The place in a back row that is dealt empty."""

BLACK_STAGE: Final = "black"
RED_STAGE: Final = "red"
"""What is drawn in turn."""


def _deal(_cards: tuple[str, ...], stream: Stream) -> Dealt:
    stream.stage(BLACK_STAGE)
    black = stream.shuffle(_CARDS)
    stream.stage(RED_STAGE)
    red = stream.shuffle(_CARDS)
    red_gap = COLONY - _MIDDLE
    places = "".join([*black[:_MIDDLE], _EMPTY, *black[_MIDDLE:], *red[:red_gap], _EMPTY, *red[red_gap:]])
    return Dealt("/".join([places[row * WIDTH : (row + 1) * WIDTH] for row in range(ROWS)]))


DEALER: Final = Dealer(deal=_deal)

__all__ = ["DEALER"]
