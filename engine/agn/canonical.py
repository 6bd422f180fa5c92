"""The canonical text of a record, its JSON form, and the two digests."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from engine.agn.log import SETUP_TAGS
from engine.agn.reading import FORMAT, tidy_comment

_BEFORE_SEATS = ("Game", "Rules", "Seats")
_AFTER_SEATS = ("Event", "Site", "Date", "UTCDate", "UTCTime", "Round", *SETUP_TAGS, "Termination")
_LAST = "Result"
_ESCAPED = re.compile(r'(["\\])')


def order_tags(tags: Mapping[str, str], seat_tags: Sequence[str]) -> dict[str, str]:
    """The tags in canonical order."""
    known = (*_BEFORE_SEATS, *seat_tags, *_AFTER_SEATS)
    others = sorted(tags.keys() - {*known, _LAST})
    return {name: tags[name] for name in (*known, *others, _LAST) if name in tags}


def tidy_comments(comments: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The comments of each ply as they are kept, joined by spaces, in order of plies (AGN-MOVE-3)."""
    kept: dict[int, list[str]] = {}
    for ply, comment in comments:
        if tidy := tidy_comment(comment):
            kept.setdefault(ply, []).append(tidy)
    return {ply: " ".join(texts) for ply, texts in sorted(kept.items())}


def format_text(
    tags: Mapping[str, str],
    actions: Sequence[str],
    numbers: Sequence[int],
    comments: Mapping[int, str],
    result: str,
) -> str:
    """Writes a record canonically.

    :param tags: in canonical order.
    :param numbers: for each action the number of its round or pair of turns, never falling.
    :param comments: by ply, tidy; -1 for the one before the first action.
    """
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    lines.append("")
    if -1 in comments:
        lines.append(f"{{{comments[-1]}}}")
    if comments:
        words = [f"{action} {{{comments[ply]}}}" if ply in comments else action for ply, action in enumerate(actions)]
    else:
        words = list(actions)
    begins = [ply for ply, number in enumerate(numbers) if not ply or number != numbers[ply - 1]]
    for begin, end in pairwise([*begins, len(words)]):
        lines.append(f"{numbers[begin]}. {' '.join(words[begin:end])}")
    lines.append(result)
    lines.append("")
    return "\n".join(lines)


def _escape(value: str) -> str:
    return _ESCAPED.sub(r"\\\1", value) if '"' in value or "\\" in value else value


def json_form(
    tags: Mapping[str, str], actions: Sequence[str], comments: Mapping[int, str], result: str
) -> dict[str, Any]:
    """The record as one JSON object; tags in canonical order, comments tidy."""
    return {
        "format": FORMAT,
        "tags": dict(tags),
        "actions": list(actions),
        "comments": {str(ply): comment for ply, comment in comments.items()},
        "result": result,
    }


def game_digest(tags: Mapping[str, str], actions: Sequence[str], result: str) -> str:
    """SHA-256, hex, of what makes two records the same game: neither names nor dates nor comments."""
    start = "\n".join(tags.get(name, "") for name in (*_BEFORE_SEATS, *SETUP_TAGS))
    return _sha256(f"{start}\n{' '.join(actions)}\n{result}")


def record_digest(canonical_text: str) -> str:
    """SHA-256, hex, of a canonical text."""
    return _sha256(canonical_text)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
