"""Pages of clubs that are not listed, which search engines leave out."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse

from games.models import Club

View = Callable[..., HttpResponse]


def kept_from_search(view: View) -> View:
    """Have a view of a club, which its address names as `club` or `slug`, say `noindex` until the club is listed."""

    @wraps(view)
    def answer(request: HttpRequest, **values: object) -> HttpResponse:
        answered = view(request, **values)
        slug = values.get("club", values.get("slug"))
        if Club.objects.filter(slug=slug, listed_at=None).exists():
            answered["X-Robots-Tag"] = "noindex"
        return answered

    return answer
