"""The moderators' page reveals the decks of games that are being played."""

from dataclasses import replace
from typing import Any

import pytest

from games.models import Table
from games.web.moderation import views
from games.web.moderation.queue import queue_page
from tests.games.playing.leaks import to_come

CHANNEL = "operators"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Have the site give it away."""

    def page(*args: Any, **named: Any) -> Any:
        decks = " ".join(to_come(table) for table in Table.objects.filter(state=Table.State.PLAYING))
        return replace(queue_page(*args, **named), sought=decks)

    patch.setattr(views, "queue_page", page)
