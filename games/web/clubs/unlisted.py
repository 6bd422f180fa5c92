"""Keeping the pages of unlisted clubs out of search engines."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse

from games.models import Club

View = Callable[..., HttpResponse]


def noindex_until_listed(view: View) -> View:
    """Return a view that answers `noindex` until its club is listed; the address names the club as `club` or `slug`."""

    @wraps(view)
    def answer(request: HttpRequest, **values: object) -> HttpResponse:
        answered = view(request, **values)
        slug = values.get("club", values.get("slug"))
        if Club.objects.filter(slug=slug, listed_at=None).exists():
            answered["X-Robots-Tag"] = "noindex"
        return answered

    return answer
