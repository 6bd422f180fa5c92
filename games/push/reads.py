"""Reading which browsers are notified, and what is still to be sent."""

from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet

from games.models import PushNotice, PushSubscription


def subscriptions_of(account: int) -> list[PushSubscription]:
    """Return the browsers in which an account gets notifications, the newest first."""
    return list(PushSubscription.objects.filter(account=account).order_by("-made_at", "-pk"))


def pushes_due(now: datetime) -> "QuerySet[PushNotice]":
    """Return the notices to push now, oldest first; none while the site has no key."""
    due = PushNotice.objects.filter(next_at__lte=now).order_by("next_at", "pk")
    return due if settings.VAPID_KEY else due.none()
