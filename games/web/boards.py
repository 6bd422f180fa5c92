"""Drawings for pages."""

from collections.abc import Sequence

from django.utils.safestring import SafeString, mark_safe

from engine.scene import Scene, sheet, union

Drawn = SafeString
"""An SVG."""


SMALL = 168
"""Pixels of the longer side of a small board."""


def small_boards(scenes: Sequence[Scene], *, prefix: str) -> tuple[Drawn, tuple[Drawn, ...]]:
    """Return what small boards of some positions have in common, which the page has once before them, and each board.

    :param prefix: goes before every id.
    """
    if not scenes:
        return drawn(""), ()
    found = sheet(scenes, union(scenes), size=SMALL, prefix=prefix)
    return drawn(found.drawings), tuple(map(drawn, found.pictures))


def drawn(svg: str) -> Drawn:
    """Return an SVG that the engine has written, so that a page may contain it."""
    return mark_safe(svg)  # noqa: S308 - ElementTree has escaped all that comes from people
