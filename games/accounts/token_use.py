"""When tokens were last used: to the hour, so that a token is written at most once an hour, not with every request."""

from datetime import datetime

import structlog
from django.db import DatabaseError, connection
from knox.models import AuthToken

_log = structlog.get_logger()

# A row that another process is writing is left to it: no request waits for this.
_USED_AGAIN = """
UPDATE games_tokenuse SET used_at = %(hour)s WHERE token_id = (
    SELECT token_id FROM games_tokenuse WHERE token_id = %(token)s AND used_at < %(hour)s FOR UPDATE SKIP LOCKED)
"""
_USED = "INSERT INTO games_tokenuse (token_id, used_at) VALUES (%(token)s, %(hour)s) ON CONFLICT DO NOTHING"


class _Noted:
    """The tokens that this process has noted in an hour."""

    def __init__(self) -> None:
        """Begin with none."""
        self._hour: datetime | None = None
        self._tokens = set[str]()

    def is_new(self, token: str, hour: datetime) -> bool:
        """Return whether a token was not noted in this hour; from now on it is."""
        if hour != self._hour:
            self._hour, self._tokens = hour, set()
        is_new = token not in self._tokens
        self._tokens.add(token)
        return is_new


_noted = _Noted()


def note_use(token: AuthToken, *, now: datetime) -> None:
    """Note that a token was used. What cannot be written, for the disk is full, fails no request."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    if _noted.is_new(token.digest, hour):
        try:
            _write({"token": token.digest, "hour": hour})
        except DatabaseError as problem:
            _log.warning("token_use.unwritten", problem=type(problem).__name__)


def _write(used: dict[str, str | datetime]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_USED_AGAIN, used)
        if not cursor.rowcount:
            cursor.execute(_USED, used)
