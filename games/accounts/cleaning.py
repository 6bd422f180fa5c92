"""Deletion of what accounts leave behind: those never confirmed, former names, expired tokens, ended sessions."""

from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from knox.models import AuthToken

from games.models import FormerName, TokenUse

UNCONFIRMED_FOR = timedelta(days=7)
"""A link that confirms an address is valid for three days; until then the name stays taken."""
EXPIRED_FOR = timedelta(days=30)


def forget_unconfirmed(*, now: datetime) -> int:
    """Remove accounts that somebody registered and never confirmed, so that their names are free again.

    :returns: how many.
    """
    stale = User.objects.filter(date_joined__lt=now - UNCONFIRMED_FOR, last_login=None, emailaddress__isnull=False)
    stale = stale.exclude(emailaddress__verified=True).exclude(is_staff=True).exclude(auth_token_set__isnull=False)
    gone = list(stale.filter(uploads=None, players=None, claims=None).values_list("pk", flat=True).distinct())
    User.objects.filter(pk__in=gone).delete()
    return len(gone)


def forget_former_names(*, now: datetime) -> int:
    """Remove the digests of deleted accounts' names that can be taken again. :returns: how many."""
    return FormerName.objects.filter(held_until__lte=now).delete()[0]


def forget_expired_tokens(*, now: datetime) -> int:
    """Remove tokens that expired long ago; until then their owner sees why a program fails. :returns: how many."""
    _, each = AuthToken.objects.filter(expiry__lt=now - EXPIRED_FOR).delete()
    # Those of tokens that were revoked while they were used, or by an earlier version.
    TokenUse.objects.filter(~Exists(AuthToken.objects.filter(pk=OuterRef("token_id")))).delete()
    return int(each.get("knox.AuthToken", 0))


def forget_ended_sessions() -> int:
    """Remove the stored address and browser of sessions that have ended. :returns: how many."""
    living = Session.objects.filter(session_key=OuterRef("session_key"))
    return int(UserSession.objects.filter(~Exists(living)).delete()[0])
