"""Playing as a bot through a site's API: event streams as lines of JSON, and a bot's actions at tables.

`docs/guide/bots.md` has a complete bot. It needs only Python and this package.
"""

import http.client
import json
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any

from games.client.site import TRIES, Answer, ClientError, CutOffError, Site

Json = dict[str, Any]
Choose = Callable[[Json], str]
"""Chooses from a table as the API shows it, `legal` being the actions, one that is to be made."""

_LINES = "application/x-ndjson"
_SILENCE = 60.0
"""Seconds without a line after which a stream is opened anew; the site sends one every 15."""
_CONFLICT, _CREATED, _OK = 409, 201, 200
_BUSY = frozenset({429, 500, 502, 503, 504})


class Bot:
    """A bot's account at a site."""

    def __init__(self, server: str, token: str, *, pause: Callable[[float], object] = time.sleep) -> None:
        """Play at a site. :raises ClientError: when address or token is invalid, or the token would go unencrypted."""
        self._server, self._token, self._pause = server, token, pause
        self._site = Site(server, token)

    # Events

    def events(self) -> Iterator[Json]:
        """Yield the state of the account's games, now and whenever it changes, forever.

        Each has `waiting`, the tables at which it is the bot's turn, and `invited`, those at which it can sit down.
        """
        return self._lines("/live/me")

    def table_events(self, key: str, *, after: int = 0) -> Iterator[Json]:
        """Yield what happens at a table, from the event after a number on, until the game is over."""
        for event in self._lines(f"/live/tables/{key}", after):
            yield event
            if event.get("kind") in ("ended", "cancelled"):
                return

    def _lines(self, path: str, after: int | None = None) -> Iterator[Json]:
        """Yield the objects of a stream; an interrupted stream is resumed where it stopped."""
        tries = 0
        while True:
            resumed = {} if after is None else {"Last-Event-ID": str(after)}
            try:
                for line in self._stream(path, resumed):
                    tries = 0
                    if line.strip():
                        event = json.loads(line)
                        after = event.get("number", after)
                        yield event
            except (OSError, http.client.HTTPException, ValueError):
                tries += 1
            self._pause(min(30.0, 0.5 * 2**tries))

    def _stream(self, path: str, headers: dict[str, str]) -> Iterator[bytes]:
        with closing(self._site.new_connection(_SILENCE)) as connection:
            sent = {"Authorization": f"Bearer {self._token}", "Accept": _LINES} | headers
            connection.request("GET", self._site.path(path), headers=sent)
            answer = connection.getresponse()
            if answer.status in (401, 403, 404):
                raise Answer(answer.status, {}, answer.read()).error()
            if answer.status == _OK:
                yield from answer

    # Actions

    def table(self, key: str) -> Json:
        """Return a table as the bot sees it: the position and, in the bot's turn, `legal`, the actions it can make."""
        return self._ask("GET", key)

    def accept(self, key: str, *, entropy: str = "") -> Json:
        """Take a seat at a table. The bot's text for the deal is chosen at random here."""
        return self._ask("POST", f"{key}/join", {"entropy": entropy or secrets.token_hex(16)})

    def decline(self, key: str) -> Json:
        """Decline an invitation."""
        return self._ask("POST", f"{key}/decline", {})

    def act(self, key: str, ply: int, token: str) -> Json:
        """Make an action exactly once. Return the table after it, or as it is now if the action came too late."""
        return self._ask("POST", f"{key}/actions", {"ply": ply, "token": token}, once=secrets.token_hex(16))

    def resign(self, key: str) -> Json:
        """Resign."""
        return self._ask("POST", f"{key}/resign", {})

    def open(self, **options: Any) -> Json:  # noqa: ANN401 (as the API has them)
        """Open a table, `ruleset="army-ants"` and the like, and sit down there."""
        return self.accept(self._ask("POST", "", options)["key"])

    def _ask(self, method: str, path: str, body: Json | None = None, *, once: str = "") -> Json:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": once} if once else {}
        content = json.dumps(body).encode() if body is not None else b""
        answer = self._answer(method, f"/api/v1/tables/{path}".rstrip("/"), headers, content)
        found: Json = answer.json
        if answer.status == _CONFLICT and "table" in found:
            table: Json = found["table"]
            return table
        if answer.status not in (_OK, _CREATED):
            raise answer.error()
        return found

    def _answer(self, method: str, path: str, headers: dict[str, str], content: bytes) -> Answer:
        """Return the site's answer; the request is repeated for some minutes until there is one."""
        with closing(Site(self._server, self._token)) as site:
            for attempt in range(TRIES):
                with suppress(CutOffError):
                    answer = site.once(method, path, content, headers)
                    if answer.status not in _BUSY:
                        return answer
                self._pause(min(30.0, 0.5 * 2**attempt))
        raise ClientError(f"{self._server} does not answer.")

    # A complete bot

    def play(self, choose: Choose, *, accept: Callable[[Json], bool] = lambda _: True) -> None:
        """Play wherever it is the bot's turn, and sit down where it is invited, forever.

        :param accept: whether to sit down at a table, given its entry in `invited`; by default always.
        """
        for event in self.events():
            for table in event.get("invited", ()):
                _try(self.accept if accept(table) else self.decline, table["key"])
            for table in event.get("waiting", ()):
                _try(lambda key: self.play_turn(key, choose), table["key"])

    def play_turn(self, key: str, choose: Choose) -> None:
        """Act as long as it is the bot's turn."""
        table = self.table(key)
        while table["your_turn"]:
            table = self.act(key, table["ply"], choose(table))


def _try(do: Callable[[str], object], key: str) -> None:
    try:
        do(key)
    except (ClientError, CutOffError) as error:
        sys.stderr.write(f"{key}: {error}\n")


__all__ = ["Bot", "ClientError"]
