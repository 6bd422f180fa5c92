"""Numbers in addresses."""

from django.http import HttpRequest, QueryDict

DIGITS = 9


def number_asked(request: HttpRequest, name: str, *, among: QueryDict | None = None) -> int:
    """A whole number in the query, or in a form; 0 for none, and for what is no number."""
    value = (request.GET if among is None else among).get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) <= DIGITS else 0
