"""How many uploads an address may send by the form: as many as by the API, counted together."""

from typing import Any

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class UploadThrottle(SimpleRateThrottle):
    """Counts under the name that the API's `upload` scope counts under."""

    scope = "upload"

    def get_cache_key(self, request: Request, view: Any) -> str:  # noqa: ANN401, ARG002 (the framework's own)
        """Who asks: an account, or an address."""
        user = request._request.user  # noqa: SLF001 - who is signed in to the site, not to the API
        ident = user.pk if user.is_authenticated else self.get_ident(request)
        return str(self.cache_format % {"scope": self.scope, "ident": ident})


def seconds_to_wait(request: HttpRequest) -> int:
    """Counts an upload. :returns: 0 if it may go on, else the seconds until the next may."""
    throttle = UploadThrottle()
    if throttle.allow_request(Request(request), None):  # type: ignore[arg-type] # no view of the framework's asks
        return 0
    return int(throttle.wait() or 0) + 1
