"""Scripts of pages as ES modules: each is named with all that it imports, so that a browser asks for them at once."""

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template import Library
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = Library()

_IMPORT = re.compile(r'^(?:import|export) .*from "(\..+)";$', re.MULTILINE)
"""What is loaded before a module runs; tests keep all imports in this form."""


@register.simple_tag
def modules(*entries: str) -> SafeString:
    """Return the tags of some modules, by the names of their static files.

    Each runs on its own: when one fails, the others still do. What they import is preloaded, as otherwise a browser
    would learn of it only by reading one after another.
    """
    imported = dict.fromkeys(name for entry in entries for name in closure(entry) if name not in entries)
    links = (format_html('<link rel="modulepreload" href="{}">', static(name)) for name in imported)
    scripts = (format_html('<script type="module" src="{}"></script>', static(name)) for name in entries)
    return mark_safe("\n  ".join((*links, *scripts)))  # noqa: S308 - each is safe


@cache
def closure(entry: str) -> tuple[str, ...]:
    """Return a module and everything that it imports, directly or not, each after what it imports itself."""
    below = (name for imported in _imports(entry) for name in closure(imported))
    return tuple(dict.fromkeys((*below, entry)))


def _imports(name: str) -> Iterator[str]:
    """Yield the names of the static files that a module imports."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    for address in _IMPORT.findall(Path(found).read_text()):
        yield posixpath.normpath(posixpath.join(name, "..", address))
