"""Pairs of the index as tests and benches make them: one by one."""

from collections.abc import Iterable

from games.search.reads.blocks import Pair, Pairs


def in_columns(pairs: Iterable[Pair]) -> Pairs:
    """Return sorted pairs in columns."""
    pairs = list(pairs)
    return Pairs([number for number, _ in pairs], [game for _, game in pairs])
