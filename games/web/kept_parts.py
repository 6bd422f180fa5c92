"""Parts of pages that are the same for all readers: a process renders each once and keeps it, by what it shows."""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

_KEPT = 64
"""Parts that a process keeps; the longest, of games with many comments, take some 200 kB with their values."""


@register.simple_tag
def kept(name: str, **values: Hashable) -> SafeString:
    """Render a template with some values and nothing else, or return what became of equal ones in this language.

    Nothing kept is ever out of date, because it depends on nothing but the values. Those of one name must all be of one
    type, for a text and one that is safe already are equal.
    """
    return _rendered(name, get_language(), tuple(values.items()))


@lru_cache(maxsize=_KEPT)
def _rendered(name: str, _language: str | None, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return render_to_string(name, dict(values))
