"""How many changes of clubs an account may make at once: as many by the pages and by the API together."""

from django.http import HttpRequest
from django.utils.translation import ngettext

from games.web.rate_limits import ClubThrottle, seconds_to_wait


def later(request: HttpRequest) -> str:
    """Count a change of clubs. :returns: when the next one may be made, or nothing if this one may."""
    minutes = -(-seconds_to_wait(request, ClubThrottle()) // 60)
    said = ngettext(
        "Too many changes at once. Try again in {minutes} minute.",
        "Too many changes at once. Try again in {minutes} minutes.",
        minutes,
    )
    return said.format(minutes=minutes) if minutes else ""
