"""Build records from their parts, for tests and benchmarks: the engine writes only what it has read."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.agn.canonical import format_movetext, format_tags


def format_text(
    tags: Mapping[str, str],
    actions: Sequence[str],
    numbers: Sequence[int],
    comments: Mapping[int, str],
    result: str,
) -> str:
    """Return a record in its canonical form.

    :param tags: in canonical order.
    :param numbers: for each action the number of its round or pair of turns, which never decreases.
    :param comments: by ply, normalized; -1 for the one before the first action.
    """
    turn_starts = [ply for ply, (before, number) in enumerate(pairwise(numbers), 1) if number != before]
    return (
        format_tags(tags)
        + "\n"
        + format_movetext(actions, (numbers[0] if numbers else 1, turn_starts), comments, result)
    )
