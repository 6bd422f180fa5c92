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


class AccountThrottle(UserRateThrottle, Counted):
    """Counts only accounts; the framework's own class would count visitors, too, who have their own rate already."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return under what the request is counted, None for a visitor's."""
        return super().get_cache_key(request, view) if request.user.is_authenticated else None


class ScopeThrottle(ScopedRateThrottle, Counted):
    """Counts expensive requests, under the name that the view gives."""
