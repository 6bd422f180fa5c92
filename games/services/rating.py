"""Rating: all that waits to be rated, in one call for whoever has a moment."""

from datetime import datetime

from games.services.acceptance import BATCH, accept_due
from games.services.leagues import accept_judged_uploads
from games.services.recounts import perform_waiting


def rate_waiting(*, now: datetime) -> int:
    """Accepts what is due and does the recounts that wait. :returns: how many games it accepted.

    Where somebody else is at it, what he does not find the sweep does.
    """
    accept_judged_uploads(now=now)
    perform_waiting(now=now)
    count = 0
    while (accepted := accept_due(now=now, wait=False)) == BATCH:
        count += accepted
    return count + accepted
