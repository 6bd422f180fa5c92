"""A row of the table holds the next cards unencrypted."""

from typing import Any

import pytest

from games.models import Table
from games.playing import acting
from tests.games.playing.leaks import to_come

CHANNEL = "rows"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    written = acting.write

    def write(table: Table, *args: Any, **named: Any) -> None:
        written(table, *args, **named)
        Table.objects.filter(pk=table.pk).update(hand=to_come(table)[:255])

    patch.setattr(acting, "write", write)
