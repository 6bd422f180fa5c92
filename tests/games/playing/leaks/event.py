"""The event of an action includes the next cards."""

from typing import Any

import pytest

from games.models import Table
from games.playing import acting
from tests.games.playing.leaks import to_come

CHANNEL = "streams"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    turn_state = acting.turn_state

    def with_deck(table: Table) -> dict[str, Any]:
        return turn_state(table) | {"deck": to_come(table)}

    patch.setattr(acting, "turn_state", with_deck)
