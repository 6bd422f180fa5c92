"""Read by every Python in the process whose clock is fast: under libfaketime `time.sleep` fails with EINVAL.

Celery's main process ended by that when it wanted to wait for its broker.
"""

import select
import time
from typing import SupportsIndex


def _sleep(seconds: SupportsIndex | float) -> None:
    """Wait without asking any clock."""
    select.select([], [], [], float(seconds))


time.sleep = _sleep
