"""Rating: all that waits to be rated, in one call for whoever has a moment."""

from datetime import datetime

from games.services import flags
from games.services.acceptance import BATCH, accept_due
from games.services.leagues import accept_judged_uploads
from games.services.recounts import perform_waiting


def rate_waiting(*, now: datetime) -> int:
    """Accepts what is due, does the recounts that wait, and looks for what is unusual.

    Where somebody else is at it, what he does not find the sweep does.

    :returns: how many games it accepted.
    """
    accept_judged_uploads(now=now)
    # First what is quick: however long the recounts take, and should one ever fail, nobody's game waits for them.
    count = _accept_all_due(now)
    perform_waiting(now=now)
    flags.look(now=now)
    return count


def _accept_all_due(now: datetime) -> int:
    count = 0
    while (accepted := accept_due(now=now, wait=False)) == BATCH:
        count += accepted
    return count + accepted


def rate_at_once(*, now: datetime) -> int:
    """Accepts what is due, for whoever has just said the last word: he does not wait, nor do what takes long."""
    return accept_due(now=now, wait=False)
