"""The mail that says whose turn it is reveals the next cards."""

from dataclasses import replace

import pytest

from games.mail import texts
from games.mail.texts import Item
from games.models import Table
from tests.games.playing.leaks import to_come

CHANNEL = "mails"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Have the site give it away."""
    written = texts.turn_item

    def turn_item(table: Table) -> Item:
        item = written(table)
        return replace(item, sentence=f"{item.sentence} {to_come(table)}")

    patch.setattr(texts, "turn_item", turn_item)
