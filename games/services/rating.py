"""Rating: all that waits to be rated, in one call for whoever has a moment."""

from collections.abc import Callable

from games.services import flags, leagues
from games.services.acceptance import BATCH, accept_due
from games.services.order import Now, moment_of
from games.services.recounts import perform_waiting


def _for_ever() -> bool:
    return True


def rate_waiting(*, now: Now, go_on: Callable[[], bool] = _for_ever) -> int:
    """Accepts what is due, does the recounts that wait, and looks for what is unusual.

    Where somebody else is at it, what he does not find the sweep does.

    :param go_on: asked before each piece of work that is large: whether there is time for it.
    :returns: how many games it accepted.
    """
    leagues.accept_judged_uploads(now=moment_of(now), go_on=go_on)
    # First what is quick: however long the recounts take, and should one ever fail, nobody's game waits for them.
    count = _accept_all_due(now, go_on)
    perform_waiting(now=now)
    flags.look(now=moment_of(now))
    return count


def _accept_all_due(now: Now, go_on: Callable[[], bool]) -> int:
    count = 0
    while go_on():
        accepted = accept_due(now=now, wait=False)
        count += accepted
        if accepted < BATCH:
            break
    return count


def rate_at_once(*, now: Now) -> int:
    """Accepts what is due, for whoever has just said the last word: he does not wait, nor do what takes long."""
    return accept_due(now=now, wait=False)
