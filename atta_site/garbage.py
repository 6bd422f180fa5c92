"""How often a process of the site collects garbage."""

import gc

_EVERY = 50_000
"""Objects more than there were before, after which the youngest are looked at; Python's own 700 take 10% of a batch."""


def collect_less_often() -> None:
    """Exclude everything loaded from garbage collection, and collect less often.

    Call it when a process has loaded its code: scanning all of that takes 90 to 140 ms, and about every ninth of the
    longest answers waited for it.

    A process that forks calls it first. Its children then share that memory: a collection writes into every object that
    it scans, and so gives each child a copy of its own of everything that was loaded.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_EVERY)
