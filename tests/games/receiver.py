"""A webhook receiver: it answers as configured and stores what it receives."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


@dataclass
class Receiver:
    """The configured response, and the requests received."""

    port: int = 0
    status: int = 204
    location: str = ""
    body: bytes = b""
    hang: Event | None = None
    """It answers once this is set."""
    heard: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/done?by=atta"

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.heard.append((self.path, headers, body))
            if receiver.hang:
                receiver.hang.wait(30)
            self.send_response(receiver.status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", str(len(receiver.body)))
            self.end_headers()
            self.wfile.write(receiver.body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_port
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield receiver
        server.shutdown()
