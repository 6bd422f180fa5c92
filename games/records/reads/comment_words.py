"""Words of comments as PostgreSQL indexes and finds them: nothing but words, since its parser is slow with other signs.

It looks for addresses, tags and paths: a comment of `a_` fifty thousand times would take it two minutes.
"""

import re
from typing import Final
from unicodedata import category, normalize

_MOST: Final = 100_000
"""Characters of a record's comments that are indexed."""
_OTHER: Final = re.compile(r"[^\w ]|_")
_OTHER_IN_QUERY: Final = re.compile(r'[^\w "]|_')
_EXCLUDES: Final = re.compile(r'(?<!\S)-(?=[^\W_]|")')


def indexed(comments: str) -> str:
    """Return the words of comments, composed and in lower case, with spaces between."""
    return _OTHER.sub(_mark_or_space, normalize("NFC", comments[:_MOST]).lower())


def searched(text: str) -> str:
    """Return a search for words as `websearch_to_tsquery` takes it: with quotation marks, and a minus before a word."""
    parts = _EXCLUDES.split(normalize("NFC", text).lower())
    return "-".join(_OTHER_IN_QUERY.sub(_mark_or_space, part) for part in parts)


def _mark_or_space(sign: re.Match[str]) -> str:
    """Return a sign that belongs to the letter before it; a space for any other."""
    return sign[0] if category(sign[0]).startswith("M") else " "


__all__ = ["indexed", "searched"]
