"""The board of a stream has a class that depends on the next cards."""

from collections.abc import Iterator
from typing import Any

import pytest

from games.models import Table
from games.playing.reads import event_bodies
from games.web.live import messages
from tests.games.playing.leaks import to_come

CHANNEL = "streams"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    said = event_bodies.bodies

    def bodies(table: Table, *args: Any) -> Iterator[dict[str, Any]]:
        return (body | {"classes": hash(to_come(table))} for body in said(table, *args))

    patch.setattr(messages, "bodies", bodies)
