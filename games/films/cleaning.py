"""Removing films that nobody asks for any more."""

from datetime import datetime, timedelta

from django.db.models import Sum

from games.models import Film

KEPT = timedelta(days=7)
"""How long a film is kept after it was last asked for."""
MOST_BYTES = 2**30
"""Of all films together; beyond that, those asked for longest ago are removed earlier."""


def forget_old(*, now: datetime) -> int:
    """Remove films that nobody has asked for in a week, and those for which there is no room. :returns: how many."""
    return Film.objects.filter(asked_at__lte=now - KEPT).delete()[0] + make_room()


def make_room() -> int:
    """Remove the films asked for longest ago until all others fit; those still to be made stay. :returns: how many."""
    made = Film.objects.filter(state=Film.State.MADE)
    if (made.aggregate(size=Sum("bytes"))["size"] or 0) <= MOST_BYTES:
        return 0
    kept, surplus = 0, []
    for pk, size in made.order_by("-asked_at", "-pk").values_list("pk", "bytes").iterator():
        kept += size
        if kept > MOST_BYTES:
            surplus.append(pk)
    return made.filter(pk__in=surplus).delete()[0]
