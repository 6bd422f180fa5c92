"""Words of comments as PostgreSQL indexes and finds them: nothing but words, since its parser is slow with other signs.

It looks for addresses, tags and paths: a comment of `a_` fifty thousand times would take it two minutes. Case and
accents are folded by the database, as those of names are (`games.models.folding`).
"""

import re
from typing import Final
from unicodedata import category, normalize

_MOST: Final = 100_000
"""Characters of a record's comments that are indexed."""
_WITH_APOSTROPHE: Final = re.compile(r"(?<![^\W_])[^\W_]++(?:['\u2018\u2019\u02bc`\u00b4][^\W_]++)+")
"""It begins where a word does, and gives nothing back: its time grows with the text, not with its square."""
_OTHER: Final = re.compile(r"[^\w ]|_")
_OTHER_IN_QUERY: Final = re.compile(r'[^\w "]|_')
_EXCLUDES: Final = re.compile(r'(?<!\S)-(?=[^\W_]|")')


def indexed(comments: str) -> str:
    """Return the words of comments, composed and in lower case, with spaces between.

    A word with an apostrophe is found by its parts, and without one: so it stands at the end once more.
    """
    text = normalize("NFC", comments[:_MOST]).lower()
    joined = [re.sub(r"\W", "", word) for word in _WITH_APOSTROPHE.findall(text)]
    return " ".join([_OTHER.sub(_mark_or_space, text), *joined])


def searched(text: str) -> str:
    """Return a search for words as `websearch_to_tsquery` takes it: with quotation marks, and a minus before a word."""
    parts = _EXCLUDES.split(normalize("NFC", text).lower())
    return "-".join(_OTHER_IN_QUERY.sub(_mark_or_space, part) for part in parts)


def _mark_or_space(sign: re.Match[str]) -> str:
    """Return a sign that belongs to the letter before it; a space for any other."""
    return sign[0] if category(sign[0]).startswith("M") else " "


__all__ = ["indexed", "searched"]
