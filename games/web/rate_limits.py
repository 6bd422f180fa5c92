"""How often an address or an account may ask; uploads by the form count together with those by the API."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from games.lagging import lags
from games.platform import rate_limits, replica
from games.platform.errors import RefusedError
from games.platform.rate_limits import network_of


class Counted(SimpleRateThrottle):
    """The framework's throttle, but counting atomically: the original reads before it writes, missing some requests."""

    num_requests: int | None  # the framework's own: its stubs leave out both
    duration: int | None
    _seconds = 0

    def allow_request(self, request: Request, view: Any) -> bool:  # noqa: ANN401 (the framework's own)
        """Count the request and say whether it may go on; a page has no view of the API that could lag."""
        key = self.get_cache_key(request, view) if self.rate else None
        if key is not None and self.num_requests is not None:
            limit = rate_limits.Limit(self.num_requests, timedelta(seconds=self.duration or 0))
            self._seconds = self._count(key, limit, lags=view is not None and lags(view, request.method))
        return not self._seconds

    @staticmethod
    def _count(key: str, limit: rate_limits.Limit, *, lags: bool) -> int:
        """Count a request; what the replica can answer is not refused because the primary cannot count it."""
        if lags and replica.is_primary_away():
            return 0
        try:
            return rate_limits.count(key, limit, now=timezone.now())
        except replica.AWAY as error:
            if not (lags and replica.is_configured() and replica.is_away(error)):
                raise
            replica.note_that_primary_is_away()
            return 0

    def wait(self) -> float | None:
        """Return the seconds until the next request may go on."""
        return self._seconds

    def get_ident(self, request: Request) -> str:
        """Return the address that asks, of IPv6 its network."""
        return network_of(super().get_ident(request))


class UploadThrottle(Counted):
    """Counts under the name that the API's `upload` scope counts under."""

    scope = "upload"

    def get_cache_key(self, request: Request, view: Any) -> str:  # noqa: ANN401, ARG002 (the framework's own)
        """Return who asks: an account, or an address."""
        user = request._request.user  # noqa: SLF001 - who is signed in to the site, not to the API
        ident = user.pk if user.is_authenticated else self.get_ident(request)
        return str(self.cache_format % {"scope": self.scope, "ident": ident})


class DisputeThrottle(UploadThrottle):
    """Counts disputes, each of which somebody has to read."""

    scope = "dispute"


class ClaimThrottle(UploadThrottle):
    """Counts claims, for the same reason."""

    scope = "claim"


class InviteThrottle(UploadThrottle):
    """Counts invitations and the mails that bring them."""

    scope = "invite"


class ClubThrottle(UploadThrottle):
    """Counts clubs that are founded and what is done in them."""

    scope = "club"


class StudyThrottle(UploadThrottle):
    """Counts changes of studies, of which each is played by the rules."""

    scope = "study"


class TableThrottle(UploadThrottle):
    """Counts tables that are opened: each visitor without a cookie is another guest, who has opened none yet."""

    scope = "table"


class ReportThrottle(UploadThrottle):
    """Counts reports of comments, collections and studies, each of which a moderator has to read."""

    scope = "report"


class SuggestionThrottle(UploadThrottle):
    """Counts texts that are checked while somebody corrects them, each of which takes up to a second."""

    scope = "suggestions"


class BoardThrottle(UploadThrottle):
    """Counts boards that have to be made first, each of which reads a whole ledger."""

    scope = "board"


class PictureThrottle(UploadThrottle):
    """Counts pictures, which occupy a process for up to half a second."""

    scope = "picture"


class ThumbnailThrottle(UploadThrottle):
    """Counts thumbnails that have to be drawn, for each of which a game is replayed."""

    scope = "thumbnail"


class FilmThrottle(UploadThrottle):
    """Counts films that are asked for, each of which takes a worker some seconds."""

    scope = "film"


class WorkThrottle(UploadThrottle):
    """Counts the milliseconds for which requests keep the processor busy, whatever they ask for."""

    scope = "work"

    def get_rate(self) -> str | None:
        """Return the budget; none where nothing limits it."""
        rate: str | None = self.THROTTLE_RATES.get(self.scope)
        return rate


class TooManyError(Exception):
    """Somebody has had enough boards or thumbnails made for now."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


def charge_for(throttle: UploadThrottle, request: HttpRequest) -> Callable[[], None]:
    """Return a function to call before making something: it counts what is made, and raises where it is too much."""

    def count() -> None:
        if wait := seconds_to_wait(request, throttle):
            raise TooManyError(wait)

    return count


def check_reports(request: HttpRequest) -> None:
    """Count a report. :raises RefusedError: when the account has sent too many."""
    if seconds_to_wait(request, ReportThrottle()):
        raise RefusedError("throttled", "Too many reports at once. Try again in some minutes.")


def seconds_to_wait(request: HttpRequest, throttle: UploadThrottle | None = None) -> int:
    """Count an upload, or what another throttle counts.

    :returns: 0 if it may go on, else the seconds until the next may.
    """
    throttle = throttle or UploadThrottle()
    throttle.allow_request(Request(request), None)
    return int(throttle.wait() or 0)
