"""Drawings for pages."""

from django.utils.safestring import SafeString, mark_safe

Drawn = SafeString
"""An SVG."""


def drawn(svg: str) -> Drawn:
    """Return an SVG that the engine has written, so that a page may contain it."""
    return mark_safe(svg)  # noqa: S308 - ElementTree has escaped all that comes from people
