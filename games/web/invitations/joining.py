"""A club that its reader joins as soon as they have signed in or registered."""

from datetime import datetime, timedelta

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext

from games.clubs import running
from games.clubs.reads.clubs import find_link
from games.models import ClubLink
from games.platform.errors import RefusedError

_KEY = "club_to_join"
_KEPT_FOR = timedelta(hours=1)
"""Long enough to register and to open the mail with the link."""


def keep(request: HttpRequest, token: str, *, now: datetime) -> None:
    """Keep in the session which link to a club somebody wants to use; the form to sign in or register says so."""
    request.session[_KEY] = {"token": token, "at": now.isoformat()}


def finish(request: HttpRequest, user: User, onward: str, *, now: datetime) -> str | None:
    """Join the club that was kept, with the account that has just signed in.

    :param onward: where that account wanted to go on: an account that does not come from the link joins no club.
    :returns: where to go on; none if no club was kept.
    """
    kept = request.session.pop(_KEY, None)
    at = parse_datetime(kept["at"]) if isinstance(kept, dict) else None
    if at is None or now - at > _KEPT_FOR or onward != reverse("club-join", args=[kept["token"]]):
        return None
    try:
        return join(request, find_link(kept["token"]), user, now=now)
    except ClubLink.DoesNotExist:
        return None


def join(request: HttpRequest, link: ClubLink, user: User, *, now: datetime) -> str:
    """Join a club by a link; the next page says so, or why not. :returns: the club's page."""
    try:
        running.join(link, user, now=now)
        messages.success(request, gettext("Welcome to {club}.").format(club=link.club.name))
    except RefusedError as error:
        messages.error(request, error.sentence)
    return link.club.get_absolute_url()
