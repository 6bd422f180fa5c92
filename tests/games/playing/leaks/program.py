"""A bot's program reads the next cards where it asks at which tables it is its turn."""

from typing import Any

import pytest

from games.models import Table
from games.web.live import messages
from tests.games.playing.leaks import to_come

CHANNEL = "programs"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Have the site give it away."""
    named = messages._named

    def with_deck(table: Table) -> dict[str, Any]:
        return named(table) | {"deck": to_come(table)}

    patch.setattr(messages, "_named", with_deck)
