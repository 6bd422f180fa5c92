"""`python -m atta_site.serve web|worker|small|bots|films|beat`: become one process of the site."""

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from atta_site import env, processes

KINDS = ("worker", "small", "bots", "films", "beat", "web")
"""Every kind of process, in the order in which they are best started."""
ONE_ONLY = frozenset({"beat"})
"""Kinds of which there must be one in all."""
_WRONG_USE = 2
_ONE_PROCESS = ONE_ONLY | {"small", "bots", "films"}


def usual_size(kind: str) -> int:
    """Return the default of `PROCESSES` for a kind."""
    return 1 if kind in _ONE_PROCESS else 2


def command(kind: str, *, host: str, port: int, size: int, folder: Path, memory: int = 0) -> list[str]:
    """Return the command of a process.

    :param size: how many processes serve requests, or how many tasks a worker does at once.
    :param folder: where beat keeps its schedule, which may be lost.
    :param memory: MiB above which a process that serves requests is replaced; 0: never.
    """
    if kind == "web":
        return processes.web(host, port, workers=size, memory=memory)
    if kind == "beat":
        return processes.beat(folder)
    queue = "atta" if kind == "worker" else kind
    return processes.worker(queue, concurrency=size, queue=queue)


def main(arguments: Sequence[str]) -> int:
    """Become the process that is named; return the exit status if that cannot be."""
    if len(arguments) != 1 or arguments[0] not in KINDS:
        sys.stderr.write(f"usage: python -m atta_site.serve {'|'.join(KINDS)}\n")
        return _WRONG_USE
    kind = arguments[0]
    try:
        host, port = env.text("HOST", "127.0.0.1"), env.number("PORT", 8000, at_least=1)
        size = env.number("PROCESSES", usual_size(kind), at_least=1)
        memory = env.number("WEB_MEMORY", 512)
    except ImproperlyConfigured as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    folder = Path(tempfile.gettempdir())
    become = command(kind, host=host, port=port, size=size, memory=memory, folder=folder)
    return os.execv(become[0], become)  # noqa: S606 - our own command, without a shell


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
