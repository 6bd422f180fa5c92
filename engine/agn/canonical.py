"""The canonical text of a record, its JSON form, the two digests and the likeness."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count
from operator import add
from typing import Any

from engine.agn.known_tags import AFTER_PLAYERS, BEFORE_PLAYERS, LAST, SETUP_TAGS
from engine.agn.log import MAX_ACTIONS
from engine.agn.reading import FORMAT, tidy_comment

_NAMED = frozenset((*BEFORE_PLAYERS, *AFTER_PLAYERS, LAST))
_IDENTIFYING = (*BEFORE_PLAYERS, *SETUP_TAGS)
_NUMBERS = [f"{number}." for number in range(MAX_ACTIONS + 2)]
_BEGINNINGS = [f"\n{number}" for number in _NUMBERS]
"""With what the line of each number begins."""
_ORDERS_KEPT = 16
"""Different lists of tag names that are remembered: most files have the same in all their records."""
_ESCAPED = re.compile(r'(["\\])')


def order_tags(tags: Mapping[str, str], seat_tags: Sequence[str]) -> dict[str, str]:
    """Return the tags in canonical order."""
    names = tuple(tags)
    ordered = _order(names, tuple(seat_tags))
    return dict(tags) if ordered == names else {name: tags[name] for name in ordered}


def are_in_order(tags: Mapping[str, str], seat_tags: Sequence[str]) -> bool:
    """Return whether tags are in canonical order already."""
    names = tuple(tags)
    return _order(names, tuple(seat_tags)) == names


@lru_cache(maxsize=_ORDERS_KEPT)
def _order(names: tuple[str, ...], seat_tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of tags in canonical order."""
    given = frozenset(names)
    others = sorted(given - _NAMED - {*seat_tags})
    return tuple([name for name in (*BEFORE_PLAYERS, *seat_tags, *AFTER_PLAYERS, *others, LAST) if name in given])


def tidy_comments(comments: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the comments of each ply as they are kept, joined by spaces, in order of plies (AGN-MOVE-3)."""
    kept: dict[int, list[str]] = {}
    for ply, comment in comments:
        if tidy := tidy_comment(comment):
            kept.setdefault(ply, []).append(tidy)
    return {ply: " ".join(texts) for ply, texts in sorted(kept.items())}


def format_tags(tags: Mapping[str, str]) -> str:
    """Return tags, in canonical order, as lines."""
    return "".join([f'[{name} "{escape(value)}"]\n' for name, value in tags.items()])


def format_movetext(
    actions: Sequence[str], lines: tuple[int, Sequence[int]], comments: Mapping[int, str], result: str
) -> str:
    """Return the actions with their comments, a line for every round or pair of turns, and the result.

    :param lines: the number of the first, and the plies with which the others begin.
    """
    before = f"{{{comments[-1]}}}\n" if -1 in comments else ""
    words = list(actions)
    for ply, comment in comments.items():
        if 0 <= ply < len(words):
            words[ply] = f"{words[ply]} {{{comment}}}"
    return f"{before}{_numbered(words, *lines)}{result}\n"


def _numbered(words: list[str], first: int, turn_starts: Sequence[int]) -> str:
    """Return words joined into lines; the line ends are added to the words first, so that one join is enough."""
    if not words:
        return ""
    words[0] = f"{first}. {words[0]}"
    for number, ply in zip(range(first + 1, MAX_ACTIONS + 2), turn_starts):  # noqa: B905 (there are no more)
        words[ply] = f"{_BEGINNINGS[number]} {words[ply]}"
    return " ".join(words).replace(" \n", "\n") + "\n"


def numbered_movetext(tokens: Sequence[str], plies: int, first: int, turn_starts: Sequence[int]) -> str | None:
    """Return the same, faster, for tokens without comments whose lines are all numbered, as in most records.

    :param tokens: actions, numbers and the result.
    :param plies: how many of them are actions.
    :returns: None if a number is missing or is not the expected one.
    """
    lines = 1 + len(turn_starts)
    if not plies or len(tokens) != plies + lines + 1:
        return None
    words, places = list(tokens), [0, *map(add, turn_starts, count(1))]
    if [*map(words.__getitem__, places)] != _NUMBERS[first : first + lines]:
        return None
    for at, beginning in zip(places[1:], _BEGINNINGS[first + 1 : first + lines], strict=True):
        words[at] = beginning
    words[-1] = f"\n{words[-1]}\n"
    return " ".join(words).replace(" \n", "\n")


def escape(value: str) -> str:
    """Return a tag's value escaped, as it is written between its quotes."""
    return _ESCAPED.sub(r"\\\1", value) if '"' in value or "\\" in value else value


def json_form(
    tags: Mapping[str, str], actions: Sequence[str], comments: Mapping[int, str], result: str
) -> dict[str, Any]:
    """Return the record as one JSON object; tags in canonical order, comments tidy."""
    return {
        "format": FORMAT,
        "tags": dict(tags),
        "actions": list(actions),
        "comments": {str(ply): comment for ply, comment in comments.items()},
        "result": result,
    }


def game_digest(tags: Mapping[str, str], actions: str, result: str) -> str:
    """Return the SHA-256, in hex, of everything that identifies a game: not its names, dates or comments.

    :param actions: all tokens, with a space between.
    """
    start = "\n".join([tags.get(name, "") for name in _IDENTIFYING])
    return _sha256(f"{start}\n{actions}\n{result}")


def likeness_digest(tags: Mapping[str, str], play: str, result: str) -> str:
    """Return the SHA-256, in hex, of the rules and of what all ways to write the same play have in common."""
    return _sha256(f"{tags['Game']}\n{tags['Rules']}\n{play}\n{result}")


def record_digest(canonical_text: str) -> str:
    """Return the SHA-256, in hex, of a canonical text."""
    return _sha256(canonical_text)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
