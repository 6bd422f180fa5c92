"""A task is given the next cards."""

from typing import Any

import pytest

from games import tasks
from games.models import Table
from games.playing import acting
from tests.games.playing.leaks import to_come

CHANNEL = "tasks"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    written = acting.write

    def write(table: Table, *args: Any, **named: Any) -> None:
        written(table, *args, **named)
        tasks.play_bots.apply_async(headers={"deck": to_come(table)})

    patch.setattr(acting, "write", write)
