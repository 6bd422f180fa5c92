"""People: some upload files, some read; when one web machine does not answer, they ask the other."""

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from typing import Any

from tests.faults.clients import Clients
from tests.faults.parcels import Parcel
from tests.machines.site import PORT

_LIMIT = 5.0
"""Seconds after which a proxy asks the other machine."""
BOARD = "/leaderboards/atta-ants-online/"
PAGES = (BOARD, "/players/", "/players/1/", "/api/v1/leaderboards/atta-ants-online", "/api/v1/games/export?most=20")


@dataclass
class Uploaders(Clients):
    """Clients that try the site's machines in turn."""

    hosts: Sequence[str] = ()
    sent: int = 0

    def send(self, parcels: Sequence[Parcel]) -> None:
        """Have files uploaded soon."""
        self.sent += len(parcels)
        super().send(parcels)

    def _post(self, parcel: Parcel) -> tuple[int, dict[str, Any]]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "text/plain"}
        status, content = 0, {}
        for host in self.hosts:
            try:
                status, body = asked(host, "POST", f"/api/v1/uploads?club={self.club}", parcel.data, headers, 20.0)
                content = json.loads(body)
            except (OSError, HTTPException, ValueError) as error:
                content = {"error": type(error).__name__}
            if status in (200, 202):
                break
        return status, content


def asked(host: str, method: str, path: str, body: bytes = b"", headers: Any = None, limit: float = _LIMIT) -> Any:
    """Return the status and the body of an answer."""
    connection = HTTPConnection(host, PORT, timeout=limit)
    try:
        connection.request(method, path, body or None, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@dataclass
class Reader:
    """Somebody who reads boards, players and exports all the time, and asks first the machine that answered last."""

    hosts: Sequence[str]
    served: int = 0
    slowest: float = 0.0
    refused: list[str] = field(default_factory=list)
    meanwhile: str = ""
    """What is broken now."""
    _is_over: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Begin to read."""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop reading."""
        self._is_over.set()
        self._thread.join(60)

    def _read(self) -> None:
        for path in cycle(PAGES):
            if self._is_over.wait(0.25):
                return
            begun, found = time.monotonic(), []
            for host in list(self.hosts):
                found.append(self._ask(host, path))
                if found[-1] == "200":
                    break
                self.hosts = [*(one for one in self.hosts if one != host), host]
            self.slowest = max(self.slowest, time.monotonic() - begun)
            if found[-1] == "200":
                self.served += 1
            else:
                self.refused.append(f"{self.meanwhile}: {path} {', '.join(found)}")

    @staticmethod
    def _ask(host: str, path: str) -> str:
        try:
            return str(asked(host, "GET", path)[0])
        except (OSError, HTTPException) as error:
            return type(error).__name__
