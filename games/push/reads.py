"""Reading which browsers are notified, and what is still to be sent."""

from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet

from games.models import PushNotice, PushSubscription


def subscriptions_of(account: int) -> list[PushSubscription]:
    """Return the browsers in which an account gets notifications, the newest first."""
    return list(PushSubscription.objects.filter(account=account).order_by("-made_at", "-pk"))


def pushes_due(now: datetime, *, proven_only: bool = False) -> "QuerySet[PushNotice]":
    """Return the notices to push now, oldest first; none while the site has no key.

    :param proven_only: leave out those whose push service has not taken one from this site, or failed to take this one.
    """
    due = PushNotice.objects.filter(next_at__lte=now).order_by("next_at", "pk")
    if proven_only:
        due = due.filter(attempts=0, subscription__sent_at__isnull=False)
    return due if settings.VAPID_KEY else due.none()
