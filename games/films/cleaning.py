"""Removing films that nobody asks for any more."""

from datetime import datetime, timedelta

from games.models import Film

KEPT = timedelta(days=7)
"""How long a film is kept after it was last asked for."""
MOST_BYTES = 2**30
"""Of all films together; beyond that, those asked for longest ago are removed earlier."""


def forget_old(*, now: datetime) -> int:
    """Remove films that nobody has asked for in a week, and those for which there is no room. :returns: how many."""
    removed = Film.objects.filter(asked_at__lte=now - KEPT).delete()[0]
    kept, surplus = 0, []
    for pk, size in Film.objects.order_by("-asked_at", "-pk").values_list("pk", "bytes").iterator():
        kept += size
        if kept > MOST_BYTES:
            surplus.append(pk)
    return removed + Film.objects.filter(pk__in=surplus).delete()[0]
