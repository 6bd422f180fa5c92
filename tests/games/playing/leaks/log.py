"""A log line contains the next cards."""

from typing import Any

import pytest
import structlog

from games.models import Table
from games.playing import acting
from tests.games.playing.leaks import to_come

CHANNEL = "log lines"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    written = acting.write

    def write(table: Table, *args: Any, **named: Any) -> None:
        written(table, *args, **named)
        structlog.stdlib.get_logger("games.playing.acting").info("acted", table=table.key, deck=to_come(table))

    patch.setattr(acting, "write", write)
