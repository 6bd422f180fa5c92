"""What is told of an action tells the next cards, too."""

from typing import Any

import pytest

from games.models import Table
from games.playing import acting
from tests.games.playing.leaks import to_come

CHANNEL = "streams"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Have the site give it away."""
    said = acting.told

    def told(table: Table) -> dict[str, Any]:
        return said(table) | {"deck": to_come(table)}

    patch.setattr(acting, "told", told)
