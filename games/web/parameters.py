"""Texts and numbers from forms and addresses."""

from django.http import HttpRequest, QueryDict

from games import cookies
from games.models import By

MOST = 1000
"""Characters of a text that people write for others to read."""
DIGITS = 9
"""Digits of a number that an address may give."""


def text_from(fields: QueryDict, name: str) -> str:
    """Return a text that can be stored; empty if it is missing."""
    return _kept(fields.get(name, ""))


def texts_from(fields: QueryDict, name: str) -> list[str]:
    """Return all texts of one name."""
    return [_kept(text) for text in fields.getlist(name)]


def _kept(text: str) -> str:
    """Return at most `MOST` characters of a text."""
    return text[:MOST]


def number_from(fields: QueryDict, name: str, *, digits: int = DIGITS) -> int:
    """Return a whole number; 0 if it is missing, not a number, or too long."""
    value = fields.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) <= digits else 0


def by_from(request: HttpRequest) -> By:
    """Return by which order ratings are wanted: that of acceptance, unless the address says otherwise."""
    return By.PLAYED if request.GET.get("by") == By.PLAYED else By.ACCEPTED


def ply_from(asked: str, last: int, *, otherwise: int | None = None) -> int:
    """Return the number of the position that an address asks for; if it asks for none, another one, or the last."""
    if asked.isascii() and asked.isdigit() and len(asked) <= DIGITS:
        return min(int(asked), last)
    return last if otherwise is None else otherwise


def hides_results(request: HttpRequest) -> bool:
    """Return whether the reader wants to see results only on request."""
    return "hide" in (request.COOKIES.get(cookies.RESULTS), request.GET.get("results"))


def hides_results_until_asked(request: HttpRequest) -> bool:
    """Return whether the page shows no results yet: its reader hides them, and the address does not ask for them."""
    return hides_results(request) and "result" not in request.GET
