"""A bot gets to see the next cards."""

from typing import Any

import pytest

from engine.chance import Stream
from games.bots import acting
from games.models import Table, TableSeat
from tests.games.playing.leaks import to_come

CHANNEL = "bots"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    chosen, decks = acting._chosen, list[str]()

    def choose(table: Table, seat: TableSeat) -> str:
        decks[:] = [to_come(table)]
        return chosen(table, seat)

    def numbers(purpose: str, seed: str) -> Any:
        return Stream(purpose, seed + decks[0])

    patch.setattr(acting, "_chosen", choose)
    patch.setattr(acting, "Stream", numbers)
