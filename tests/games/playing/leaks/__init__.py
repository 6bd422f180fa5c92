"""Leaks to be planted: each gives away by one channel what nobody may know yet, and has to be caught there."""

from typing import Protocol

import pytest

from games.models import Table
from games.playing.dealing import card_at
from games.playing.reads.position import position_of

_CARDS = 15


class Leak(Protocol):
    """A module of this package."""

    __name__: str
    CHANNEL: str
    """Where it is to be heard."""

    def plant(self, patch: pytest.MonkeyPatch) -> None:
        """Have the site give it away."""


def to_come(table: Table) -> str:
    """Return the cards that are not drawn yet, in their order."""
    known = position_of(table).cards_played + bool(table.drawn)
    return " ".join(card_at(table, number) for number in range(known, _CARDS))
