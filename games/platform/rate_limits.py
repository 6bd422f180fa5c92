"""Counts how often somebody does something, in one database statement, so that simultaneous requests count, too."""

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.db import connection
from django.db.models import F

from games.models import Throttle

_IPV6_PREFIX = 64
"""An IPv6 user has a whole network of this prefix, and would be somebody new with each address of it."""
_COUNT = """
INSERT INTO games_throttle AS kept (key, used, until) VALUES (%(key)s, %(amount)s, %(until)s)
ON CONFLICT (key) DO UPDATE SET
    used = CASE WHEN kept.until <= %(now)s THEN EXCLUDED.used ELSE LEAST(kept.used, %(most)s) + EXCLUDED.used END,
    until = CASE WHEN kept.until <= %(now)s THEN EXCLUDED.until ELSE kept.until END
RETURNING used, until
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """How many times in a period, which begins with the first time."""

    most: int
    period: timedelta


def count(key: str, limit: Limit, *, now: datetime, amount: int = 1) -> int:
    """Count one more for a key. :returns: 0 if that is within the limit, else the seconds until it is again."""
    until = now + limit.period
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"key": key, "now": now, "until": until, "most": limit.most, "amount": amount})
        used, until = cursor.fetchone()
    return 0 if used <= limit.most else max(1, ceil((until - now).total_seconds()))


def uncount(key: str) -> None:
    """Take the last count back."""
    Throttle.objects.filter(key=key, used__gt=0).update(used=F("used") - 1)


def note(key: str, until: datetime) -> None:
    """Remember a key until a moment."""
    Throttle.objects.update_or_create(key=key, defaults={"used": 1, "until": until})


def is_noted(key: str, *, now: datetime) -> bool:
    """Return whether a key is still remembered."""
    return Throttle.objects.filter(key=key, until__gt=now).exists()


def forget_old(*, now: datetime) -> int:
    """Remove counts that are over. :returns: how many rows."""
    return Throttle.objects.filter(until__lte=now).delete()[0]


def network_of(address: str) -> str:
    """Return an address as it is counted: of IPv6 the network, anything else as it is."""
    try:
        network = ipaddress.IPv6Network(f"{address}/{_IPV6_PREFIX}", strict=False)
    except ValueError:
        return address[:64]
    return str(network.network_address)
