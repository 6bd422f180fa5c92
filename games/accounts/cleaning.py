"""Deletion of accounts that were never confirmed."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User

UNCONFIRMED_FOR = timedelta(days=7)
"""A link that confirms an address is valid for three days; until then the name stays taken."""


def forget_unconfirmed(*, now: datetime) -> int:
    """Remove accounts that somebody registered and never confirmed, so that their names are free again.

    :returns: how many.
    """
    stale = User.objects.filter(date_joined__lt=now - UNCONFIRMED_FOR, last_login=None, emailaddress__isnull=False)
    stale = stale.exclude(emailaddress__verified=True).exclude(is_staff=True).exclude(auth_token_set__isnull=False)
    gone = list(stale.filter(uploads=None, players=None, claims=None).values_list("pk", flat=True).distinct())
    User.objects.filter(pk__in=gone).delete()
    return len(gone)
