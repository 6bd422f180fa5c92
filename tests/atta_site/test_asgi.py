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

from django.conf import settings
from django.urls import get_resolver
print(set(get_resolver()._reverse_dict) >= dict(settings.LANGUAGES).keys())
print("celery.app.amqp" in sys.modules, bool({"kombu.transport.redis", "kombu.transport.pyamqp"} & sys.modules.keys()))
"""


@pytest.mark.full
def test_web_process_leaves_nothing_to_make_for_its_first_readers_and_tunes_threads_and_gc(
    static_files: None,
) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", _TOLD], cwd=processes.ROOT, capture_output=True, text=True, check=True
    ).stdout

    assert printed.split() == ["True"] * 7
