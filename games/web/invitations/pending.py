"""An answer to an invitation that waits until its reader has signed in or registered."""

from datetime import datetime
from urllib.parse import parse_qs, urlsplit

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse
from django.utils.dateparse import parse_datetime

from games.invitations.answering import answer
from games.invitations.reads.invitations import find_invitation
from games.models import Game, Invitation, InvitedName
from games.platform.errors import RefusedError
from games.run import rate_at_once

_KEY = "invitation_answers"
_KEPT_FOR = 3600
"""Seconds: long enough to register and to open the mail with the link."""


def keep(request: HttpRequest, token: str, number: int, answers: dict[str, str], *, now: datetime) -> None:
    """Keep an answer in the session."""
    request.session[_KEY] = {"token": token, "name": number, "answers": answers, "at": now.isoformat()}


def finish(request: HttpRequest, user: User, onward: str, *, now: datetime) -> str | None:
    """Give the answer that was kept, for the account that has just signed in.

    :param onward: where that account wanted to go on: one that does not come from the invitation answers nothing.
    :returns: where to go on; none if there was no answer.
    """
    kept = request.session.pop(_KEY, None)
    if not isinstance(kept, dict):
        return None
    at = parse_datetime(kept["at"])
    page = reverse("invitation", args=[kept["token"]])
    if at is None or (now - at).total_seconds() > _KEPT_FOR or not _leads_to(onward, page, kept["name"]):
        return None
    give(request, user, kept["token"], kept["name"], kept["answers"], now=now)
    return f"{page}?name={kept['name']}"


def _leads_to(onward: str, page: str, name: int) -> bool:
    """Return whether somebody comes from an invitation, and from no other name of it."""
    address = urlsplit(onward)
    return address.path == page and parse_qs(address.query).get("name", [str(name)]) == [str(name)]


def give(request: HttpRequest, user: User, token: str, number: int, answers: dict[str, str], *, now: datetime) -> bool:
    """Answer an invitation for an account. :returns: whether that was possible; if not, the next page says why."""
    try:
        name = find_invitation(token).names.select_related("invitation").get(pk=number)
        used = answer(name, user, answers=answers, now=now)
    except (Invitation.DoesNotExist, InvitedName.DoesNotExist):
        return False
    except RefusedError as error:
        messages.error(request, error.sentence)
        return False
    games = Game.objects.filter(invitations=used.invitation_id, seatings__player=used.player_id)
    rate_at_once(games.values_list("key", flat=True), now=lambda: now)
    return True
