"""Mail preferences: which mails an account wants, and how it stops all mails without signing in."""

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse

from games.models import MailPreferences

_SALT = "mails"


def keep_preferences(account: int, **wanted: str | bool) -> None:
    """Store an account's mail preferences: `language`, and whether it wants what each switch stands for."""
    MailPreferences.objects.update_or_create(account_id=account, defaults=wanted)


def stop_address(account: int) -> str:
    """Return the secret address at which a mail's reader can stop all further mails."""
    return f"{settings.SITE_URL}{reverse('mails-stop', args=[signing.dumps(account, salt=_SALT)])}"


def whose_mails(token: str) -> User:
    """Return the account whose mails an address stops. :raises User.DoesNotExist: when it is forged or old."""
    try:
        return User.objects.get(pk=signing.loads(token, salt=_SALT))
    except signing.BadSignature:
        raise User.DoesNotExist from None


def stop_mails(account: int) -> None:
    """Turn off all mails to an account."""
    keep_preferences(account, **dict.fromkeys(MailPreferences.SWITCHES, False))
