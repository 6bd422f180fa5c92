"""Prepares our scripts and style sheets for sending: without comments and indentation, and several as one.

A file below `joined/` names others, one a line, by `import` or `@import`. Browsers understand it as it is, but each
file that they ask for costs them some 400 bytes of headers, and small files compress badly. So what pages name, which
has a hash in its name, holds their contents instead.
"""

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

_OURS = re.compile(r"games/(?!vendor/).*\.(css|js)")
_NAMED = re.compile(r'^@?import "(.+)";\n', re.MULTILINE)
_BLOCK, _LINE = r"/\*(?:(?!\*/).)*\*/", r"//[^\n]*"
_COMMENT = {
    ".js": re.compile(rf"^[ \t]*(?:{_BLOCK}|{_LINE})[ \t]*\n", re.MULTILINE | re.DOTALL),
    ".css": re.compile(rf"^[ \t]*{_BLOCK}[ \t]*\n", re.MULTILINE | re.DOTALL),
}
_AROUND = {".js": "try {{\n{}}} catch (error) {{\nreportError(error);\n}}\n", ".css": "{}"}
"""A script's names are its own, and when it fails the next ones run, as they do in files of their own."""
_INDENT = re.compile(r"^\s+", re.MULTILINE)


class JoinedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """Static files under names with a hash, compressed; our own are lean and joined."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False) -> Iterator[Any]:  # noqa: FBT001, FBT002 (Django's)
        """Write the files that pages name."""
        lean = {name: (_Lean(storage), path) for name, (storage, path) in paths.items() if _OURS.fullmatch(name)}
        yield from super().post_process(paths | lean, dry_run=dry_run)


class _Lean:
    """Files of another storage as they are sent."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def open(self, path: str) -> "ContentFile[bytes]":
        return ContentFile(self._joined(path).encode())

    def _joined(self, path: str) -> str:
        """Return a file's text with those that it names in place."""
        kind = posixpath.splitext(path)[1]
        with self._storage.open(path) as file:
            text = lean(file.read().decode(), kind)

        def content(named: re.Match[str]) -> str:
            return _AROUND[kind].format(self._joined(posixpath.normpath(posixpath.join(path, "..", named[1]))))

        return _NAMED.sub(content, text)


def lean(text: str, kind: str) -> str:
    """Return a script (`.js`) or style sheet (`.css`) without comments that fill lines, indentation and empty lines.

    Nothing that is quoted may go on in another line: `tests/atta_site/test_joining.py` looks for it.
    """
    return _INDENT.sub("", _COMMENT[kind].sub("", text))
