"""The page of a table contains the next cards, invisibly."""

from typing import Any

import pytest

from games.models import Table
from games.web.play import views
from games.web.play.table import table_page
from tests.games.playing.leaks import to_come

CHANNEL = "pages"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""

    def page(table: Table, *args: Any) -> Any:
        made = table_page(table, *args)
        object.__setattr__(made, "title", f"{made.title} {to_come(table)}")
        return made

    patch.setattr(views, "table_page", page)
