"""The legal actions are listed in an order that depends on the next card."""

from typing import Any

import pytest

from games.models import Table
from games.playing.reads import state
from tests.games.playing.leaks import to_come

CHANNEL = "API"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    listed = state._legal

    def legal(table: Table, *args: Any) -> list[str]:
        return sorted(listed(table, *args), key=lambda token: hash((token, to_come(table))))

    patch.setattr(state, "_legal", legal)
