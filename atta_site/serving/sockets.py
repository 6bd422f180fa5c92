"""Socket settings: the number of connections, and when the system drops a dead one."""

import resource
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path

CONNECTIONS = 8192
"""Of one process."""
_FILES = 4 * CONNECTIONS
"""For connections, bodies, and the rest."""
SILENCE = 60
"""Seconds without a sign that the client reads, after which what waits for it is thrown away."""
_INTERNET = (socket.AF_INET, socket.AF_INET6)
_OWN = Path("/proc/self/fd")


def allow_many() -> None:
    """Raise the limit on open files to what so many connections need, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@cache
def give_up_on_silence() -> None:
    """Make the system drop new connections whose client reads nothing; call it once in a process.

    The server opens its socket itself and has no option for this, but connections inherit it from that socket.
    """
    for file in _OWN.iterdir() if _OWN.exists() else ():
        with suppress(OSError), socket.socket(fileno=int(file.name)) as opened:
            try:
                if opened.family in _INTERNET and opened.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE * 1000)
            finally:
                opened.detach()  # the socket still belongs to the server
