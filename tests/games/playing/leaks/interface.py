"""The API reveals the secret before the end."""

import pytest

from games.models import Table
from games.playing.dealing import secret_of
from games.playing.reads import state

CHANNEL = "API"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""

    def published(table: Table) -> str:
        return secret_of(table)

    patch.setattr(state, "published_secret", published)
