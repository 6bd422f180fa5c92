"""Planted leaks: each reveals secret information through one channel and must be detected there."""

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
    """The channel where it must be detected."""

    def plant(self, patch: pytest.MonkeyPatch) -> None:
        """Plant the leak."""


def to_come(table: Table) -> str:
    """Return the undrawn cards, in order."""
    known = position_of(table).cards_played + bool(table.drawn)
    return " ".join(card_at(table, number) for number in range(known, _CARDS))
