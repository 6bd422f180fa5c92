"""Sending requests to a site with a token: retries where that may help, errors as sentences."""

import http.client
import json
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, urlsplit

TRIES = 8
PATIENCE = 60.0
"""Seconds without a sign of life."""
_LONGEST = 60.0
"""Seconds that are waited before the next try."""
_BUSY = frozenset({429, 500, 502, 503, 504})
_CONFLICT = 409
_NEAR = frozenset({"localhost", "127.0.0.1", "::1"})


class ClientError(Exception):
    """Why a request failed, as a sentence; `status` is the program's exit status."""

    def __init__(self, sentence: str, status: int = 3) -> None:
        super().__init__(sentence)
        self.status = status


class CutOffError(Exception):
    """The connection ended before the answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The site's answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 (whatever the JSON is)
        """Return the body as JSON."""
        with suppress(ValueError):
            return json.loads(self.body)
        raise ClientError(f"The site answered {self.status} with something other than JSON.")

    @property
    def is_busy(self) -> bool:
        """Return whether the same request may get another answer soon."""
        if self.status in _BUSY:
            return True
        with suppress(ValueError, KeyError, TypeError):
            return self.status == _CONFLICT and json.loads(self.body)["error"]["code"] == "under_way"
        return False

    def error(self) -> ClientError:
        """Return the site's error message."""
        sentence = ""
        with suppress(ValueError, KeyError, TypeError):
            sentence = str(json.loads(self.body)["error"]["message"])
        if self.status in (401, 403) and not sentence:
            sentence = "The token is not accepted."
        if self.status // 100 == 3:  # noqa: PLR2004 (redirects)
            sentence = f"The site redirects to {self.headers.get('location', 'elsewhere')}: use that as --server."
        return ClientError(sentence or f"The site answered {self.status}.")


@dataclass(slots=True)
class Site:
    """A site, and the token for it."""

    server: str
    token: str
    _at: SplitResult = field(init=False)
    _connection: http.client.HTTPConnection | None = None

    def __post_init__(self) -> None:
        self._at = _split(self.server)
        if not self.token.isascii() or not self.token.isprintable() or not self.token.strip():
            raise ClientError("The token is empty, or has characters that no token has.")
        if self._at.scheme == "http" and self._at.hostname not in _NEAR:
            raise ClientError("The token is sent only over https://, unless the site is on this machine.")

    def address(self, path: str) -> str:
        """Return the full address of a path."""
        return f"{self._at.scheme}://{self._at.netloc}{self.path(path)}"

    def once(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request once. :raises CutOffError: when no complete answer comes."""
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **(headers or {})}
        connection = self._connected()
        try:
            connection.request(method, self.path(path), body or None, headers)
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise CutOffError(str(error) or type(error).__name__) from error

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request until there is an answer, for some minutes.

        :raises ClientError: when there is no answer, or the site refuses the request.
        """
        failure = ""
        for attempt in range(TRIES):
            try:
                answer = self.once(method, path, body, headers)
            except CutOffError as error:
                failure = f"{self.server} does not answer: {error}."
                pause(attempt)
                continue
            if not answer.is_busy:
                if answer.status >= 300:  # noqa: PLR2004 (neither done nor accepted)
                    raise answer.error()
                return answer
            failure = str(answer.error())
            pause(attempt, answer.headers.get("retry-after", ""))
        raise ClientError(failure)

    def ask_json(self, method: str, path: str, body: Mapping[str, object]) -> Answer:
        """Send JSON until there is an answer, as `ask` does; what a `POST` makes is made once."""
        headers = {"Content-Type": "application/json"} | (once_key() if method == "POST" else {})
        return self.ask(method, path, json.dumps(body).encode(), headers)

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            self._connection = self.new_connection(PATIENCE)
        return self._connection

    def new_connection(self, patience: float) -> http.client.HTTPConnection:
        """Return another connection, which the caller closes, that waits so many seconds for a sign of life."""
        kind = http.client.HTTPSConnection if self._at.scheme == "https" else http.client.HTTPConnection
        return kind(self._at.hostname or "", self._at.port, timeout=patience)

    def path(self, path: str) -> str:
        """Return a path of the site as it is asked for, below the path of the site's own address."""
        return f"{self._at.path.rstrip('/')}{path}"

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._connection:
            self._connection.close()
            self._connection = None


def once_key() -> dict[str, str]:
    """Return a header with which a request that is repeated, as its answer was lost, is done only once."""
    return {"Idempotency-Key": secrets.token_hex(16)}


def _split(server: str) -> SplitResult:
    """Return the parts of a site's address, where a scheme can be left out. :raises ClientError: when it is none."""
    with suppress(ValueError):
        at = urlsplit(server if "//" in server else f"https://{server}")
        named = at.hostname and at.hostname.encode("idna") and at.port != 0
        if named and at.scheme in ("http", "https") and at.path.isascii() and not set(server) & set(" \t\r\n"):
            return at
    raise ClientError(f"{server!r} is no address of a site.")


def pause(attempt: int, retry_after: str = "") -> None:
    """Wait before the next attempt: as long as the site asks, or longer each time."""
    seconds = float(retry_after) if retry_after.isdecimal() else 0.5 * 2**attempt
    time.sleep(min(seconds, _LONGEST))
