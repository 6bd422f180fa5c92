"""Rating: everything that waits to be rated, in one call."""

from collections.abc import Callable, Iterable
from time import monotonic

from games.clubs import organising
from games.corrections.rerating import perform_waiting
from games.models import Acceptance, Seating
from games.platform.pauses import Part, is_paused
from games.players import handing_over
from games.playing import linking
from games.ratings.acceptance import BATCH, FEW, accept_due, accept_few
from games.ratings.sequence import Now, moment_of
from games.verification.reads import uploads_to_begin

AT_ONCE = 0.1
"""Seconds for which a page may wait for ratings."""


def _for_ever() -> bool:
    return True


def rate_waiting(*, now: Now, has_time: Callable[[], bool] = _for_ever) -> int:
    """Accept due games, and perform waiting corrections. If another process is rating, the sweep finds what it leaves.

    :param has_time: called before each large piece of work; returns whether there is time for it.
    :returns: how many games were accepted.
    """
    if is_paused(Part.RATING):
        return 0
    organising.accept_judged_uploads(now=moment_of(now), has_time=has_time)
    linking.link_judged(now=moment_of(now), has_time=has_time)
    # Quick work comes first, so that no game waits for long or failing corrections.
    count = _accept_all_due(now, has_time) + _settle_on(now, has_time)
    if perform_waiting(now=now):  # games of merged players are checked again
        count += _settle_on(now, has_time)
    return count


def anything_to_rate() -> bool:
    """Return whether games are due, or those at the beginning of a long file may be; not while rating is paused."""
    if is_paused(Part.RATING):
        return False
    due = Acceptance.objects.filter(number=None, held=False)
    return due.exists() or uploads_to_begin(organising.WINDOW).exists()


def _settle_on(now: Now, has_time: Callable[[], bool]) -> int:
    """Check the games of names that were handed over. :returns: how many more are accepted."""
    return _accept_all_due(now, has_time) if handing_over.settle_on(now=moment_of(now), has_time=has_time) else 0


def _accept_all_due(now: Now, has_time: Callable[[], bool]) -> int:
    count = 0
    while has_time():
        accepted = accept_due(now=now, wait=False)
        count += accepted
        if accepted < BATCH:
            break
    return count


def rate_at_once(games: Iterable[str], *, now: Now) -> int:
    """Accept what is due on the ladders of games, by their keys, right after their last confirmation.

    Nobody waits long: if much is due, or another process is rating, the worker does it.
    """
    due = Acceptance.objects.filter(game__key__in=list(games), number=None, held=False, ladder__club=None)
    return _rate_shortly(due.values_list("ladder", flat=True), now)


def rate_at_once_of(player: int, *, now: Now) -> int:
    """Accept games of a player that may be due since it became known who the player is."""
    newest = Acceptance.objects.filter(number=None, held=False, ladder__club=None).order_by("-pk")[:FEW]
    due = dict(newest.values_list("game", "ladder"))
    seated = Seating.objects.filter(player=player, game__in=due).values_list("game", flat=True)
    return _rate_shortly((due[game] for game in seated), now)


def _rate_shortly(ladders: Iterable[int], now: Now) -> int:
    until, count = monotonic() + AT_ONCE, 0
    if is_paused(Part.RATING):
        return 0
    for ladder in sorted(set(ladders)):
        if (left := until - monotonic()) > AT_ONCE / 2:
            count += accept_few(ladder, now=now, within=left)
    return count
