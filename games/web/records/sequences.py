"""What lists of games can be sorted by, as links, and the column that shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.utils.translation import gettext

from games.records.reads.sorting import NEWEST, SORTS, Sort
from games.sentences import translated

_OTHER_COLUMNS: Final = frozenset({NEWEST, "length"})
"""What games are sorted by that lists of them show in any case."""


@dataclass(frozen=True, slots=True)
class SortLink:
    """Something by which the games can be sorted."""

    label: str
    query: str
    """The query that sorts them so; empty where nothing else is asked for."""
    here: bool


@dataclass(frozen=True, slots=True)
class Column:
    """What the games are sorted by, as a column."""

    label: str
    about: str
    """Which games are left out, and what the value means."""
    unit: str
    """What is written behind the value."""


@dataclass(frozen=True, slots=True)
class SequenceShown:
    """How a list of games is sorted, and how else it can be."""

    by_time: bool
    """Whether the newest come first."""
    links: tuple[SortLink, ...]
    column: Column | None
    """None where it is one of the other columns."""


def sequence_shown(said: Mapping[str, str], sort: str) -> SequenceShown:
    """Return how a list of games is sorted.

    :param said: what its address asks for, which the other sequences keep.
    """
    others = without_sort(said)
    queries = {key: urlencode(others if key == NEWEST else {**others, "sort": key}) for key in SORTS}
    links = (SortLink(one.label.render(translated), queries[key], key == sort) for key, one in SORTS.items())
    return SequenceShown(sort == NEWEST, tuple(links), _column(SORTS[sort]))


def without_sort(said: Mapping[str, str]) -> dict[str, str]:
    """Return the filter alone."""
    return {name: value for name, value in said.items() if name != "sort"}


def _column(sort: Sort) -> Column | None:
    if sort.key in _OTHER_COLUMNS:
        return None
    about = sort.about.render(translated) if sort.about else ""
    return Column(sort.label.render(translated), about, gettext("{share}%").format(share="") if sort.percent else "")


__all__ = ["SequenceShown", "sequence_shown", "without_sort"]
