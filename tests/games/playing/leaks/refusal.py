"""An error message names the next cards."""

from typing import Any

import pytest

from engine.ruleset import RuleError
from games.models import Table
from games.platform.sealing import unseal
from games.playing import acting
from games.playing.errors import IllegalError
from games.playing.reads import position

CHANNEL = "refusals"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""
    said, last = acting._illegal, list[bytes]()

    def position_of(table: Table, *args: Any) -> Any:
        last[:] = [bytes(table.sealed_deck)]
        return position.position_of(table, *args)

    def illegal(error: RuleError) -> IllegalError:
        refused = said(error)
        refused.params["drawn"] = unseal(last[0], b"table")
        return refused

    patch.setattr(acting, "position_of", position_of)
    patch.setattr(acting, "_illegal", illegal)
