"""Rate limits of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.throttling import AnonRateThrottle, ScopedRateThrottle, UserRateThrottle

from games.web.rate_limits import Counted

if TYPE_CHECKING:  # the framework's views read the settings, and the settings name this module
    from rest_framework.request import Request
    from rest_framework.views import APIView


class VisitorThrottle(AnonRateThrottle, Counted):
    """Counts visitors by their address."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return under what the request is counted, None for an account's and for one from a seat at a table."""
        return None if _seat(view) else super().get_cache_key(request, view)


class AccountThrottle(UserRateThrottle, Counted):
    """Counts only accounts; the framework's own class would count visitors, too, who have their own rate already."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return under what the request is counted, None for a visitor's and for one from a seat at a table."""
        return super().get_cache_key(request, view) if request.user.is_authenticated and not _seat(view) else None


class SeatThrottle(Counted):
    """Counts what is done and asked at a table for each seat: a whole club may play behind one address.

    Nobody has many seats: opening tables is counted, too.
    """

    scope = "seat"

    def get_rate(self) -> str | None:
        """Return the limit; none where nothing limits it."""
        rate: str | None = self.THROTTLE_RATES.get(self.scope)
        return rate

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002 (the framework's own)
        """Return the seat, None where there is none."""
        return str(self.cache_format % {"scope": self.scope, "ident": _seat(view)}) if _seat(view) else None


def _seat(view: APIView) -> int | None:
    return getattr(view, "seat", None)


class ScopeThrottle(ScopedRateThrottle, Counted):
    """Counts expensive requests, under the name that the view gives."""
