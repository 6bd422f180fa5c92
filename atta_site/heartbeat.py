"""The heartbeat: each process stores every few seconds that it runs, in a separate thread, and compares its clock."""

import os
import socket
import threading
from datetime import UTC, datetime
from importlib.metadata import version

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from atta_site import clock
from engine.verify import ENGINE_VERSION
from games.platform.processes import note

log = structlog.stdlib.get_logger(__name__)


def start(kind: str) -> None:
    """Start the heartbeat, unless the settings turn it off. `kind` is web, worker, small, bots, films or beat."""
    if settings.HEARTBEAT_EVERY:
        threading.Thread(target=_beat, args=(kind, settings.HEARTBEAT_EVERY), name="heartbeat", daemon=True).start()


def _beat(kind: str, seconds: int) -> None:
    host, number, first = socket.gethostname(), os.getpid(), True
    said, over = f"{version('atta')}, engine {ENGINE_VERSION}", threading.Event()
    while True:
        try:
            clock.learn(note(kind, host, number, version=said, clock=datetime.now(UTC), first=first))
            first = False
        except (DatabaseError, InterfaceError) as problem:
            log.info("heartbeat: database unavailable", problem=str(problem))
        finally:
            connection.close()  # held for a moment only: there may be fewer connections than processes
        over.wait(seconds)
