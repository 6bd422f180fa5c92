"""How often a process of the site collects garbage."""

import gc

_EVERY = 50_000
"""Objects more than there were before, after which the youngest are looked at; Python's own 700 take 10% of a batch."""


def collect_less_often() -> None:
    """Leave all that is loaded out of every collection, and collect less often.

    To be called where a process has loaded its code: looking through all of that takes 90 to 140 ms, and every ninth
    or so of the longest answers waited for it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_EVERY)
