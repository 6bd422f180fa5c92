"""The relay: passes requests for event streams to the live server and its answers back, without a thread."""

import asyncio
from contextlib import suppress
from urllib.parse import quote
from wsgiref.types import WSGIEnvironment

import structlog

from atta_site.serving.answers import Answer
from games.platform.addresses import naming
from games.platform.shares import FullError, Share, Shares

PATHS = "/live/"
"""How the addresses begin whose answers are streams."""
STREAMS = 4096
"""Of one process."""
_CONNECTING, _ANSWERING = 2.0, 30.0
_PIECE = 64 * 1024
_OWN = frozenset({"HTTP_CONNECTION", "HTTP_TRANSFER_ENCODING", "HTTP_TE", "HTTP_UPGRADE", "HTTP_EXPECT"})
_NOT_SENT_BACK = frozenset({"connection", "transfer-encoding", "keep-alive", "date", "server"})

log = structlog.stdlib.get_logger(__name__)


class Relayed:
    """An answer that another server sends, as long as it does."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, share: Share) -> None:
        self._reader, self._writer, self._share = reader, writer, share
        self._is_left = False

    async def read(self) -> bytes:
        """Return the next bytes as they come; a server that dies ends the answer, and its reader resumes."""
        with suppress(OSError):
            return await self._reader.read(_PIECE)
        return b""

    def leave(self) -> None:
        """Let go of it, once."""
        if not self._is_left:
            self._is_left = True
            self._writer.close()
            self._share.give_back()


class Relay:
    """The way to one server of streams."""

    def __init__(self, host: str, port: int, streams: int = STREAMS) -> None:
        self._host, self._port = host, port
        self._places = Shares(streams, streams)

    async def answer(self, environ: WSGIEnvironment, address: str) -> Answer | None:
        """Return the server's answer to a request of somebody; nothing when there is none, or no room for it."""
        share = self._places.of("")
        try:
            share.take(1)
            return await self._asked(environ, address, share)
        except FullError:
            return None
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as problem:
            share.give_back()
            log.warning("live: no server of streams", problem=str(problem))
            return None

    async def _asked(self, environ: WSGIEnvironment, address: str, share: Share) -> Answer:
        async with asyncio.timeout(_CONNECTING):
            reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            writer.write(_request(environ, address))
            async with asyncio.timeout(_ANSWERING):
                head = await reader.readuntil(b"\r\n\r\n")
            status, headers = _head(head)
        except BaseException:
            writer.close()
            raise
        return Answer(status, headers, Relayed(reader, writer, share))


def _request(environ: WSGIEnvironment, address: str) -> bytes:
    """Return the request in HTTP/1.0: its answer ends with the connection, and is in no chunks."""
    query = environ["QUERY_STRING"]
    path = quote(environ["PATH_INFO"].encode("latin-1")) + (f"?{query}" if query else "")
    headers = {name: value for name, value in environ.items() if name.startswith("HTTP_") and name not in _OWN}
    lines = [f"{name[5:].replace('_', '-')}: {value}\r\n" for name, value in (headers | naming(address)).items()]
    return f"{environ['REQUEST_METHOD']} {path} HTTP/1.0\r\n{''.join(lines)}\r\n".encode("latin-1")


def _head(head: bytes) -> tuple[int, list[tuple[str, str]]]:
    """Return status and headers. :raises ValueError: when that is no answer."""
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    pairs = [line.partition(":")[::2] for line in lines]
    kept = [(name, value.strip()) for name, value in pairs if name.lower() not in _NOT_SENT_BACK]
    return int(first.split(" ", 2)[1]), kept
