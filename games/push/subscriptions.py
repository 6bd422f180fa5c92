"""Turning notifications on for a browser, and off."""

from datetime import datetime

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction

from games.models import PushSubscription
from games.platform.errors import RefusedError
from games.platform.outgoing import AddressError, target_of
from games.push.encryption import AUTH, CURVE, POINT
from games.push.vapid import decoded

MOST = 20
"""Browsers of an account; another one replaces the oldest."""
_LONGEST_NAME = 60
_BROWSERS = (
    ("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
"""How browsers are recognised, those first that call themselves by others' names as well."""
_SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip


class PushError(RefusedError):
    """A browser that cannot be notified."""

    parameter = "endpoint"


@transaction.atomic
def subscribe(  # noqa: PLR0913 (each is a part of what a browser says)
    account: int, endpoint: str, point: str, auth: str, *, agent: str, language: str, now: datetime
) -> PushSubscription:
    """Turn notifications on for a browser; a browser that another account used belongs to this account from now on.

    :param endpoint: the address at the browser's push service; `point` and `auth` its key and secret in base64url.
    :raises PushError: when nothing can be sent there.
    """
    _check_address(endpoint)
    public, secret = _keys(point, auth)
    PushSubscription.objects.filter(endpoint=endpoint).delete()
    made = PushSubscription.objects.create(
        account_id=account, endpoint=endpoint, point=public, auth=secret,
        name=device_name(agent), language=language, made_at=now,
    )  # fmt: skip
    kept = PushSubscription.objects.filter(account=account).order_by("-made_at", "-pk")[:MOST]
    PushSubscription.objects.filter(account=account).exclude(pk__in=[one.pk for one in kept]).delete()
    return made


def _check_address(endpoint: str) -> None:
    try:
        target_of(endpoint)
    except AddressError:
        raise PushError("push_address", "Nothing can be sent to this browser’s push service.") from None


def _keys(point: str, auth: str) -> tuple[bytes, bytes]:
    try:
        public, secret = decoded(point), decoded(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, public)
    except ValueError:
        public = secret = b""
    if (len(public), len(secret)) != (POINT, AUTH):
        raise PushError("push_key", "The keys of this browser’s subscription cannot be read.")
    return public, secret


def unsubscribe(account: int, pk: int) -> bool:
    """Stop notifying a browser. :returns: whether the account had it."""
    return bool(PushSubscription.objects.filter(account=account, pk=pk).delete()[0])


def device_name(agent: str) -> str:
    """Return a name for a browser and its system, as far as they are known."""
    browser = next((name for sign, name in _BROWSERS if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return ", ".join(filter(None, (browser, system))) or agent[:_LONGEST_NAME]
