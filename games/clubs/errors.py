"""Why something cannot be done with a club."""

from games.platform.errors import RefusedError


class ClubError(RefusedError):
    """Why something cannot be done with a club; nothing has changed."""
