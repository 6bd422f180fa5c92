"""The page of a table holds the next cards, where no one sees them."""

from typing import Any

import pytest

from games.models import Table
from games.web.play import views
from games.web.play.table import table_page
from tests.games.playing.leaks import to_come

CHANNEL = "pages"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Have the site give it away."""

    def page(table: Table, *args: Any) -> Any:
        made = table_page(table, *args)
        object.__setattr__(made, "title", f"{made.title} {to_come(table)}")
        return made

    patch.setattr(views, "table_page", page)
