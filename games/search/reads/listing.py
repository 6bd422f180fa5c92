"""Pages of the games that match a filter, within a time."""

from typing import Final

from games.models import Game
from games.platform.paging import Page, Span
from games.platform.patience import patience
from games.records.reads.games import GameFilter, list_games
from games.records.reads.visibility import Viewer

_PATIENCE: Final = 3_000
"""Milliseconds in which the database has to find a page."""


def games_found(wanted: GameFilter, span: Span, viewer: Viewer) -> Page[Game]:
    """Return a page of the games that match a filter and that the viewer may see, newest first or as it sorts them.

    :raises CursorError: when the span's mark is none.
    :raises TooSlowError: when they are not found in time.
    """
    if wanted == GameFilter():
        return list_games(wanted, span, viewer)
    with patience(_PATIENCE):
        return list_games(wanted, span, viewer)


__all__ = ["games_found"]
