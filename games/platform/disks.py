"""The disks that this process writes to."""

import shutil
from typing import NamedTuple

from django.conf import settings


class Disk(NamedTuple):
    """The disk on which a folder is."""

    folder: str
    free: int
    total: int


def disks() -> list[Disk]:
    """Return the disks of the folders that exist: for bodies of requests, and for dumps."""
    folders = {"spool": settings.SPOOL_DIR, "dumps": settings.DUMPS_DIR}
    used = {name: shutil.disk_usage(folder) for name, folder in folders.items() if folder.exists()}
    return [Disk(name, usage.free, usage.total) for name, usage in used.items()]
