"""What a web process does before its first request."""

import subprocess
import sys

import pytest

from atta_site import processes

_TOLD = """
import gc, sys
import atta_site.asgi
print(all(f"games.{room}" in sys.modules for room in ("web.urls", "api.urls")), sys.getswitchinterval() < 0.005)
print(gc.get_freeze_count() > 50_000, gc.get_threshold()[0] >= 50_000)
"""


@pytest.mark.full
def test_web_process_imports_everything_and_tunes_threads_and_gc_at_startup(
    static_files: None,
) -> None:
    told = subprocess.run(
        [sys.executable, "-c", _TOLD], cwd=processes.ROOT, capture_output=True, text=True, check=True
    ).stdout

    assert told.split() == ["True"] * 4
