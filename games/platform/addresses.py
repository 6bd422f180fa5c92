"""Addresses: who asks, and whose share of the resources a request uses."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from games.platform.rate_limits import network_of


def address_of(meta: Mapping[str, Any]) -> str:
    """Return the address that asks, of IPv6 its network."""
    return network_of(client_of(meta))


def client_of(meta: Mapping[str, Any]) -> str:
    """Return the whole address of the client, if any: what the outermost trusted proxy says, or else the connection."""
    named = meta.get("HTTP_X_FORWARDED_FOR", "").split(",")[-settings.NUM_PROXIES :] if settings.NUM_PROXIES else []
    client: str = named[0].strip() if named and named[0] else meta.get("REMOTE_ADDR", "")
    return client
