"""How Picnic is dealt: the crumbs on ten plates (DEAL-SETUP-1)."""

from typing import Final

from engine.chance import Stream
from engine.ruleset import Dealer, Dealt

_PLATES: Final = "112233...."


def _deal(_cards: tuple[str, ...], stream: Stream) -> Dealt:
    stream.stage("plates")
    return Dealt("".join(stream.shuffle(_PLATES)))


DEALER: Final = Dealer(deal=_deal)

__all__ = ["DEALER"]
