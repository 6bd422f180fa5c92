"""Prepares our scripts and style sheets for sending: without comments and indentation, and style sheets several as one.

Scripts are ES modules, in which Django writes the names with hashes of those that they import. A style sheet below
`joined/` names others, one a line, by `@import`. Browsers understand it as it is, but would wait for each before they
show anything. So what pages name, which has a hash in its name, holds their contents instead.
"""

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

_OURS = re.compile(r"games/(?!vendor/).*\.(css|js)")
_NAMED = re.compile(r'^@import "(.+)";\n', re.MULTILINE)
_BLOCK, _LINE = r"/\*(?:(?!\*/).)*\*/", r"//[^\n]*"
_COMMENT = {
    ".js": re.compile(rf"^[ \t]*(?:{_BLOCK}|{_LINE})[ \t]*\n", re.MULTILINE | re.DOTALL),
    ".css": re.compile(rf"^[ \t]*{_BLOCK}[ \t]*\n", re.MULTILINE | re.DOTALL),
}
_INDENT = re.compile(r"^\s+", re.MULTILINE)


class LeanStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """Static files under names with a hash, compressed; our own are lean."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False) -> Iterator[Any]:  # noqa: FBT001, FBT002 (Django's)
        """Write the files that pages name."""
        ours = {name: (_Lean(storage), path) for name, (storage, path) in paths.items() if _OURS.fullmatch(name)}
        yield from super().post_process(paths | ours, dry_run=dry_run)


class _Lean:
    """Files of another storage as they are sent."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def open(self, path: str) -> "ContentFile[bytes]":
        return ContentFile(self._text(path).encode())

    def _text(self, path: str) -> str:
        """Return a file's text; a style sheet's with those that it names in place."""
        kind = posixpath.splitext(path)[1]
        with self._storage.open(path) as file:
            text = lean(file.read().decode(), kind)
        if kind == ".js":
            return text
        return _NAMED.sub(lambda named: self._text(posixpath.normpath(posixpath.join(path, "..", named[1]))), text)


def lean(text: str, kind: str) -> str:
    """Return a script (`.js`) or style sheet (`.css`) without comments that fill lines, indentation and empty lines.

    Nothing that is quoted may go on in another line: `tests/atta_site/test_static_storage.py` looks for it.
    """
    return _INDENT.sub("", _COMMENT[kind].sub("", text))
