"""A push notice reveals the next cards."""

from dataclasses import replace

import pytest

from games.mail import texts
from games.mail.texts import Item
from games.models import Table
from games.push import delivery
from tests.games.playing.leaks import to_come

CHANNEL = "push"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Have the site give it away."""
    written = texts.turn_item

    def turn_item(table: Table) -> Item:
        return replace(written(table), path=f"/play/{table.key}/?{to_come(table)}")

    patch.setattr(delivery, "turn_item", turn_item)
