"""The facts about a game: what a record says besides the play, its result, and who sat where."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from engine.agn.known_tags import REQUIRED, SETUP_TAGS
from engine.agn.names import name_key

_OF_PLAYERS = "Site"
"""With the names it says who the players are."""


class Changed(NamedTuple):
    """A tag whose value two records of one game give differently; empty where a record does not have it."""

    tag: str
    before: str
    after: str


def changed_facts(before: Mapping[str, str], after: Mapping[str, str], seats: Iterable[str]) -> Iterator[Changed]:
    """Yield the facts that two records of the same game give differently, in the order of the later one's tags.

    A text typed in another form, as the name of an event with other spaces, is the same.

    :param seats: the names of the tags with the players' names.
    """
    apart = {*REQUIRED, *SETUP_TAGS, _OF_PLAYERS, *seats}
    for tag in dict.fromkeys((*after, *before)):
        if tag not in apart and name_key(before.get(tag, "")) != name_key(after.get(tag, "")):
            yield Changed(tag, before.get(tag, ""), after.get(tag, ""))
