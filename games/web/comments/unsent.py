"""A comment whose author was signed out before it arrived: it waits for them to sign in, and is then shown again."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.dateparse import parse_datetime

from games.lookup import asker
from games.models.comments import LONGEST
from games.platform.rate_limits import Limit, count

_KEY = "unsent_comment"
_KEPT_FOR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Unsent:
    """What somebody has typed."""

    text: str
    ply: int
    at: bool
    """Whether it is about the position after that action."""


def keep(request: HttpRequest, onward: str, unsent: Unsent, *, now: datetime) -> None:
    """Keep a comment in the session of who is signed out, as much of it as a comment may have.

    An address keeps no more than an account may write: each visitor without cookies gets a new session.

    :param onward: where the account that signs in goes on: nobody else sees the text.
    """
    limit = Limit(settings.COMMENTS_AN_HOUR, timedelta(hours=1))
    if not settings.COMMENTS or count(f"unsent comments {asker(request)}", limit, now=now):
        return
    # A browser sends every line end as two characters, but counts one.
    text = unsent.text.replace("\r\n", "\n")[:LONGEST]
    kept = {"text": text, "ply": unsent.ply, "at": unsent.at}
    request.session[_KEY] = kept | {"for": onward, "since": now.isoformat()}


def forget_unless_for(request: HttpRequest, onward: str) -> None:
    """Forget the comment of somebody else, once an account has signed in that goes on elsewhere."""
    kept: dict[str, Any] | None = request.session.get(_KEY)
    if kept and kept["for"] != onward:
        del request.session[_KEY]


def take(request: HttpRequest, onward: str, *, now: datetime) -> Unsent | None:
    """Return the comment that was kept for a page; none if there is none, or it was kept for too long."""
    kept: dict[str, Any] | None = request.session.get(_KEY)
    since = parse_datetime(kept["since"]) if kept else None
    if kept is None or since is None or now - since > _KEPT_FOR:
        forget(request)
        return None
    return Unsent(kept["text"], kept["ply"], kept["at"]) if kept["for"] == onward else None


def forget(request: HttpRequest) -> None:
    """Forget what was kept, once it is published."""
    request.session.pop(_KEY, None)
