"""How often somebody may ask the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.throttling import UserRateThrottle

if TYPE_CHECKING:  # the framework's views read the settings, and the settings name this module
    from rest_framework.request import Request
    from rest_framework.views import APIView


class AccountRateThrottle(UserRateThrottle):
    """Counts accounts only; the framework's own counts visitors once more, who have a rate of theirs already."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return under what the request is counted, None for a visitor's."""
        return super().get_cache_key(request, view) if request.user.is_authenticated else None
