"""What stands in a form or an address."""

from django.http import QueryDict

MOST = 1000
"""Characters of a text that people write for others to read."""


def text_asked(fields: QueryDict, name: str) -> str:
    """A text as it can be kept; empty for none."""
    return _kept(fields.get(name, ""))


def texts_asked(fields: QueryDict, name: str) -> list[str]:
    """All texts of one name."""
    return [_kept(text) for text in fields.getlist(name)]


def _kept(text: str) -> str:
    """No longer than `MOST`, and without NUL, which the database refuses."""
    return text.replace("\0", "")[:MOST]
