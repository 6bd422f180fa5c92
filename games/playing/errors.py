"""Refusals at a table."""

from games.platform.errors import RefusedError


class PlayError(RefusedError):
    """Something that cannot be done at a table; nothing has changed."""


class ConflictError(PlayError):
    """A request that no longer fits the table: late, repeated, or for another seat."""


class IllegalError(PlayError):
    """An action that breaks a rule of the game; `rule` is its id."""

    rule = ""
