"""Account values available on every page."""

from django.conf import settings
from django.http import HttpRequest


def mail(request: HttpRequest) -> dict[str, bool]:  # noqa: ARG001 (the framework's own)
    """Return whether this site sends mails; if not, nobody is asked for an address."""
    return {"mail_is_on": settings.MAIL_IS_ON}
