"""How much memory a worker's process may take, so that a record that wants all of it fails alone."""

import resource

MEBIBYTE = 1 << 20


def limit_memory(mebibytes: int) -> None:
    """Let this process have so much memory of its own, and fail with MemoryError beyond that; 0: as much as there is.

    This counts what it may write (RLIMIT_DATA), not code and files that are mapped, which processes share.
    """
    if not mebibytes:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = mebibytes * MEBIBYTE
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
