"""The process whose clock is an hour fast works as any other, except for the time that it reads."""

import os
import subprocess
import sys

import pytest

from tests.faults.site import LIBFAKETIME, an_hour_fast

PROGRAM = """
import threading, time
time.sleep(0.01)
assert not threading.Event().wait(0.01)
print(time.time())
"""


@pytest.mark.skipif(LIBFAKETIME is None, reason="libfaketime is not installed")
def test_process_with_a_fast_clock_can_wait() -> None:
    def said(given: dict[str, str]) -> float:
        return float(subprocess.check_output([sys.executable, "-c", PROGRAM], env=os.environ | given, timeout=60))

    assert 3500 < said(an_hour_fast()) - said({}) < 3700
