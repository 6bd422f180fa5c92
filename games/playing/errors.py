"""Refusals at a table."""

from games.platform.errors import RefusedError


class PlayError(RefusedError):
    """Something that cannot be done at a table; nothing has changed."""


class ConflictError(PlayError):
    """Something that was meant for a table that is otherwise by now: late, double, or not for that seat."""


class IllegalError(PlayError):
    """An action that breaks a rule of the game; `rule` is its id."""

    rule = ""
