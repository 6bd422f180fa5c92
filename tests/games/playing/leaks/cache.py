"""The cache stores the next cards under the table's key."""

from typing import Any

import pytest
from django.core.cache import cache

from games.models import Table
from games.playing import acting
from tests.games.playing.leaks import to_come

CHANNEL = "caches"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    written = acting.write

    def write(table: Table, *args: Any, **named: Any) -> None:
        written(table, *args, **named)
        cache.set(f"deck-{table.key}", to_come(table))

    patch.setattr(acting, "write", write)
