"""The static files of pages: collected once for all runs, and read once per process."""

from typing import Any

from whitenoise.base import WhiteNoise

_SEEN: dict[tuple[str, str], dict[str, Any]] = {}


def look_once() -> None:
    """Let all test clients share what the first one has read of the files: about two hundred."""
    read = WhiteNoise.update_files_dictionary

    def read_once(server: WhiteNoise, root: str, prefix: str) -> None:
        if (root, prefix) not in _SEEN:
            read(server, root, prefix)
            _SEEN[root, prefix] = dict(server.files)
        server.files.update(_SEEN[root, prefix])

    WhiteNoise.update_files_dictionary = read_once
