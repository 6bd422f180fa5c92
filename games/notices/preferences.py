"""Mail preferences: how an account wants to be told, and how it stops all mails without signing in."""

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse

from games.models import MailPreferences

_SALT = "mails"


def keep_preferences(account: int, **wanted: str | bool) -> None:
    """Keeps how an account wants to be told: `language`, `claims`, `confirmations`, `disputes`."""
    MailPreferences.objects.update_or_create(account_id=account, defaults=wanted)


def stop_address(account: int) -> str:
    """Where whoever reads a mail can stop all further ones: nobody else knows the address."""
    return f"{settings.SITE_URL}{reverse('mails-stop', args=[signing.dumps(account, salt=_SALT)])}"


def whose_mails(token: str) -> User:
    """The account whose mails such an address stops. :raises User.DoesNotExist: when it is none of ours, or gone."""
    try:
        return User.objects.get(pk=signing.loads(token, salt=_SALT))
    except signing.BadSignature:
        raise User.DoesNotExist from None


def stop_mails(account: int) -> None:
    """Has an account be told of nothing any more."""
    keep_preferences(account, claims=False, confirmations=False, disputes=False)
