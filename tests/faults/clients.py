"""Clients that upload files over HTTP until each is accepted, and write down the answers."""

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.faults.parcels import Parcel

_AGAIN = 0.2
_LIMIT = 30.0
"""Seconds for one request; the site is killed and stopped meanwhile."""


@dataclass
class Clients:
    """Some clients of one account. They send a file again until it is accepted, as `atta upload` does."""

    port: int
    token: str
    club: str
    log: Path
    _waiting: "SimpleQueue[Parcel | None]" = field(default_factory=SimpleQueue)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _threads: list[threading.Thread] = field(default_factory=list)
    accepted: int = 0

    def start(self, count: int) -> None:
        """Start the clients; they wait for files."""
        for _ in range(count):
            thread = threading.Thread(target=self._work, daemon=True)
            thread.start()
            self._threads.append(thread)

    def send(self, parcels: Sequence[Parcel]) -> None:
        """Have files uploaded soon."""
        for parcel in parcels:
            self._waiting.put(parcel)

    def finish(self, patience: float) -> bool:
        """Say whether all files are accepted, after waiting for it."""
        for _ in self._threads:
            self._waiting.put(None)
        until = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        while parcel := self._waiting.get():
            while not self._upload(parcel):
                time.sleep(_AGAIN)

    def _upload(self, parcel: Parcel) -> bool:
        at, begun = time.time(), time.monotonic()
        try:
            status, body = self._post(parcel)
        except (OSError, HTTPException, ValueError) as error:
            status, body = 0, {"error": type(error).__name__}
        seconds = round(time.monotonic() - begun, 3)
        is_accepted = status in (200, 202)
        line = {"file": parcel.digest, "status": status, "at": at, "seconds": seconds, "answer": body}
        with self._lock, self.log.open("a") as log:
            log.write(json.dumps(line) + "\n")
            self.accepted += is_accepted
        return is_accepted

    def _post(self, parcel: Parcel) -> tuple[int, dict[str, Any]]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=_LIMIT)
        try:
            headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "text/plain"}
            connection.request("POST", f"/api/v1/uploads?club={self.club}", parcel.data, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()
