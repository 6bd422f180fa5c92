"""How long an answer stays what it is, as the view says that made it: until then others may get it, too."""

from datetime import datetime
from math import inf
from typing import TypeVar

from django.http.response import HttpResponseBase

Response = TypeVar("Response", bound=HttpResponseBase)
_UNTIL = "_fresh_until"


def stays_fresh(answer: Response, until: datetime | None = None) -> Response:
    """Return an answer that changes only with the version of what it shows.

    :param until: when it changes by itself; none if it never does.
    """
    setattr(answer, _UNTIL, until.timestamp() if until else inf)
    return answer


def fresh_until(answer: HttpResponseBase) -> float:
    """Return until when an answer stays what it is, in seconds since 1970; 0 where no view says so."""
    found: float = getattr(answer, _UNTIL, 0.0)
    return found
