"""Visitors: the address whose share of the resources a request uses."""

from contextlib import suppress
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.core.signing import BadSignature, Signer

from games.platform.rate_limits import network_of

_HEADER = "HTTP_ATTA_VISITOR"


def address_of(environ: WSGIEnvironment) -> str:
    """Return the address that asks, of IPv6 its network."""
    return _relayed_for(environ) or network_of(client_of(environ))


def client_of(environ: WSGIEnvironment) -> str:
    """Return the whole address of the client, if any: what the outermost trusted proxy says, or else the connection."""
    named = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")[-settings.NUM_PROXIES :] if settings.NUM_PROXIES else []
    client: str = named[0].strip() if named and named[0] else environ.get("REMOTE_ADDR", "")
    return client


def naming(address: str) -> dict[str, str]:
    """Return a signed name of this address for the site's other processes."""
    return {_HEADER: _signer().sign(address)}


def _relayed_for(environ: WSGIEnvironment) -> str | None:
    with suppress(BadSignature):
        return _signer().unsign(environ[_HEADER]) if _HEADER in environ else None
    return None


def _signer() -> Signer:
    return Signer(salt="games.platform.addresses")
