"""Rating: all that waits to be rated, in one call for whoever has a moment."""

from collections.abc import Callable, Iterable
from time import monotonic

from games.corrections.performing import perform_waiting
from games.leagues import organising
from games.models import Acceptance, Seating
from games.players import handing_over
from games.ratings.acceptance import BATCH, FEW, accept_due, accept_few
from games.ratings.sequence import Now, moment_of

AT_ONCE = 0.1
"""Seconds for which a page may wait for ratings."""


def _for_ever() -> bool:
    return True


def rate_waiting(*, now: Now, go_on: Callable[[], bool] = _for_ever) -> int:
    """Accepts what is due, and does the recounts that wait.

    Where somebody else is at it, what he does not find the sweep does.

    :param go_on: asked before each piece of work that is large: whether there is time for it.
    :returns: how many games it accepted.
    """
    organising.accept_judged_uploads(now=moment_of(now), go_on=go_on)
    # First what is quick: however long the recounts take, and should one ever fail, nobody's game waits for them.
    count = _accept_all_due(now, go_on) + _settle_on(now, go_on)
    if perform_waiting(now=now):  # of players who were merged, games are looked at again
        count += _settle_on(now, go_on)
    return count


def _settle_on(now: Now, go_on: Callable[[], bool]) -> int:
    """Look at the games of names that have changed hands. :returns: how many more are accepted."""
    return _accept_all_due(now, go_on) if handing_over.settle_on(now=moment_of(now), go_on=go_on) else 0


def _accept_all_due(now: Now, go_on: Callable[[], bool]) -> int:
    count = 0
    while go_on():
        accepted = accept_due(now=now, wait=False)
        count += accepted
        if accepted < BATCH:
            break
    return count


def rate_at_once(games: Iterable[str], *, now: Now) -> int:
    """Accept what is due on the ladders of games, by their keys, for whoever has just said the last word on them.

    Nobody waits: where much is due, or somebody is at it, the worker does it.
    """
    due = Acceptance.objects.filter(game__key__in=list(games), number=None, held=False, ladder__league=None)
    return _rate_shortly(due.values_list("ladder", flat=True), now)


def rate_at_once_of(player: int, *, now: Now) -> int:
    """The same for whoever has just said who a player is, by which some of the player's games may be due."""
    newest = Acceptance.objects.filter(number=None, held=False, ladder__league=None).order_by("-pk")[:FEW]
    due = dict(newest.values_list("game", "ladder"))
    seated = Seating.objects.filter(player=player, game__in=due).values_list("game", flat=True)
    return _rate_shortly((due[game] for game in seated), now)


def _rate_shortly(ladders: Iterable[int], now: Now) -> int:
    until, count = monotonic() + AT_ONCE, 0
    for ladder in sorted(set(ladders)):
        if (left := until - monotonic()) > AT_ONCE / 2:
            count += accept_few(ladder, now=now, within=left)
    return count
