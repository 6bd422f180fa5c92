"""What a web process does before its first request."""

import subprocess
import sys

from atta_site import processes

_TOLD = """
import sys
import atta_site.asgi
print(all(f"games.{room}" in sys.modules for room in ("web.urls", "api.urls")), sys.getswitchinterval() < 0.005)
"""


def test_the_first_reader_does_not_wait_for_pages_to_be_imported_and_threads_change_quickly(static_files: None) -> None:
    told = subprocess.run(
        [sys.executable, "-c", _TOLD], cwd=processes.ROOT, capture_output=True, text=True, check=True
    ).stdout

    assert told.split() == ["True", "True"]
