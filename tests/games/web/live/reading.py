"""Readers of event streams and the web servers they read from."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from atta_site import processes
from tests import chance
from tests.sites import PATIENCE, UNLIMITED, Web


class Reader:
    """A reader of one stream, which can resume where it stopped."""

    def __init__(self, address: str, path: str, *, after: int | None = None, **headers: str) -> None:
        self.address, self.path, self.last, self.headers = address, path, after, headers
        self.bodies: list[dict[str, Any]] = []
        self.status = self.watching = 0
        self.connect()

    def connect(self) -> None:
        """Start, or resume after the last event."""
        place = urlsplit(self.address)
        self.socket = socket.create_connection((place.hostname, place.port), timeout=PATIENCE)
        resumed = {} if self.last is None else {"Last-Event-ID": str(self.last)}
        lines = [f"{name}: {value}\r\n" for name, value in {"Host": "localhost", **resumed, **self.headers}.items()]
        self.socket.sendall(f"GET {self.path} HTTP/1.0\r\n{''.join(lines)}\r\n".encode())
        self._file = self.socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        while self._file.readline().strip():
            pass

    def until(self, number: int) -> list[int]:
        """Read until an event, resuming as often as needed; return the numbers of all events read."""
        deadline = time.monotonic() + PATIENCE
        while (self.last or 0) < number:
            assert time.monotonic() < deadline, (self.last, number)
            if not self.step():
                self.resume()
        return self.numbers

    @property
    def numbers(self) -> list[int]:
        """The numbers of the events read."""
        return [body["number"] for body in self.bodies if "number" in body]

    def step(self) -> bool:
        """Read a line; return whether the stream continues."""
        line = b""
        with suppress(OSError):
            line = self._file.readline()
        if line.startswith(b'data: {"count"'):
            self.watching = json.loads(line[6:])["count"]
        elif line.startswith(b"data: {"):
            self.bodies.append(json.loads(line[6:]))
            self.last = self.bodies[-1].get("number", self.last)
        return bool(line)

    def resume(self) -> None:
        """Reconnect as a browser does."""
        self.close()
        time.sleep(0.05)
        with suppress(OSError, IndexError):
            self.connect()

    def close(self) -> None:
        """Go."""
        self._file.close()
        self.socket.close()


class Server:
    """A running web server that can be killed and started again."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.port, self.environment = processes.free_port(), environment
        self.site = Web(f"http://127.0.0.1:{self.port}", folder / "web.log")
        self.start()

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.site.address

    def start(self) -> None:
        """Start it."""
        with self.site.log.open("ab") as output:
            command = processes.web("127.0.0.1", self.port, workers=1)
            self.process: subprocess.Popen[bytes] = processes.spawn(command, output.fileno(), env=self.environment)

    def ready(self) -> Self:
        """Wait until it hears of events and return it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            is_waiting = self.process.poll() is None and time.monotonic() < deadline
            assert is_waiting, self.site.log.read_text()[-4000:]
            with suppress(OSError):
                if self.site.ask("/live/health").status == 200:
                    return self
            time.sleep(0.1)

    def kill(self) -> None:
        """Kill it with all its processes."""
        processes.kill(self.process)


@contextmanager
def web_server(folder: Path, environment: dict[str, str]) -> Iterator[Server]:
    """Yield a web server that holds streams open."""
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(folder, os.environ | UNLIMITED | {"LIVE_STREAMS_EACH": "4096"} | environment | chance.drawing())
    try:
        yield server
    finally:
        server.kill()
