"""Who sees the moderators' pages."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse

from games.platform.roles import is_moderator

View = Callable[..., HttpResponse]


def moderators_only(view: View) -> View:
    """Hide a page from all others; who is not signed in is asked to."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_moderator(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded
