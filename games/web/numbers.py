"""Numbers in addresses."""

from django.http import HttpRequest

_DIGITS = 9


def number_asked(request: HttpRequest, name: str) -> int:
    """A whole number in the query; 0 for none, and for what is no number."""
    value = request.GET.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) <= _DIGITS else 0
