"""Handing over: a name gets or loses its account, or two players are merged.

Their due games are checked again, in slices: one person may now sit there twice, or a confirmation may have lost its
account. The first slice is checked at once, the others by the worker; until then the games wait.
"""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games.consent import confirmations
from games.holds import flags
from games.models import Acceptance, Player, Seating

SLICE = 50
"""Games that are due and looked at together: less than a second."""
LOOKED_BACK = 1000
"""Games of any kind that are gone through together."""


def hand_over(player: Player, account: int | None, now: datetime) -> None:
    """Make a player an account's own, or nobody's, within the transaction that holds the player."""
    player.account_id, player.unsettled_after = account, 0
    player.save(update_fields=["account", "unsettled_after"])
    _settle_slice(player, now)


def settle_on(*, now: datetime, has_time: Callable[[], bool]) -> int:
    """Check the games of names that were handed over, as far as not done yet. :returns: how many slices.

    :param has_time: asked before each slice whether there is time for it.
    """
    count = 0
    while has_time() and _settle_next(now):
        count += 1
    return count


@transaction.atomic
def _settle_next(now: datetime) -> bool:
    # Names with the fewest games checked come first, so that a name with many delays no other.
    waiting = Player.objects.filter(unsettled_after__isnull=False).order_by("unsettled_after", "pk")
    # The holder of a lock checks the next games of that name, or comes back to it.
    player = waiting.select_for_update(skip_locked=True, no_key=True, of=("self",)).first()
    if player:
        _settle_slice(player, now)
    return player is not None


def _settle_slice(player: Player, now: datetime) -> None:
    """Check the next games of a player: those that are due for the whole site, and those that count already."""
    theirs = Seating.objects.filter(Q(player=player) | Q(player__merged_into=player))
    ahead = theirs.filter(game__gt=player.unsettled_after).order_by("game").values_list("game", flat=True)
    games = list(ahead[:LOOKED_BACK])
    due = Acceptance.objects.filter(number=None, ladder__club=None, game__in=games)
    found = [acceptance.game for acceptance in due.select_related("game").order_by("game")[:SLICE]]
    if len(found) == SLICE:
        games = [game for game in games if game <= found[-1].pk]
        is_last = False
    else:
        is_last = len(games) < LOOKED_BACK
    for game in found:
        confirmations.settle(game, now=now)
    flags.look_back(player.pk, games, now=now)
    player.unsettled_after = None if is_last else games[-1]
    player.save(update_fields=["unsettled_after"])
