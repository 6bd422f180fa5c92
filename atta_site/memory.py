"""A limit to the memory of a worker's process, so that a record that wants all of it fails alone."""

import resource

MEBIBYTE = 1 << 20


def limit_memory(mebibytes: int) -> None:
    """Limit the memory of this process: beyond so many mebibytes it fails with MemoryError; 0 is no limit.

    This counts what it may write (RLIMIT_DATA), not code and files that are mapped, which processes share.
    """
    if not mebibytes:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = mebibytes * MEBIBYTE
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
