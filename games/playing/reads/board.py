"""Reading the board of a table: its picture, and what the viewer can touch next."""

from collections.abc import Collection, Sequence
from typing import Any

from engine.registry import ruleset_by_slug
from engine.touching.position import Reader, position
from games.models import Table
from games.playing.reads.position import position_of
from games.playing.reads.state import position_seen
from games.sentences import translated

_BEFORE = 8
"""Positions before this one that are drawn with it: pieces look where they moved, and most have moved by then."""


def board_json(
    table: Table,
    tokens: tuple[str, ...],
    *,
    acting: bool,
    known: Collection[str] = (),
    touched: Sequence[str] = (),
) -> dict[str, Any] | None:
    """Return the position of a table, as `engine.touching.position` writes it, in the reader's language.

    :param acting: whether the reader is to act; else there is nothing to touch.
    :param known: the drawings that the reader has already.
    :param touched: what the reader touched, of which the last is not possible: the answer says why.
    :returns: none before the setup lies, and of a game whose stored actions were altered.
    """
    if position_seen(table, tokens) is None:
        return None
    first = max(0, len(tokens) - _BEFORE)
    states = [position_of(table, tokens[:ply]).state for ply in range(first, len(tokens) + 1)]
    reader = Reader(acting=acting, known=known, turn=True, touched=touched, translate=translated)
    found = position(ruleset_by_slug(table.ruleset), states, tokens[first:], reader, table.drawn or None)
    found["ply"] = found["frame"]["ply"] = len(tokens)
    return found
