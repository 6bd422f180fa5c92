"""HTTP answers that Django lacks."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from games.platform.errors import RefusedError


class SeeOther(HttpResponseRedirect):
    """A 303: the form was processed, and another page shows the result."""

    status_code = 303


def back_to(request: HttpRequest) -> SeeOther:
    """Return to the page that a form names as `next`, if it is on this site; else to the home page."""
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return SeeOther(back if safe else reverse("home"))


def tried(request: HttpRequest, act: Callable[[], object]) -> bool:
    """Do something. :returns: whether it could be done; if not, the next page says why."""
    try:
        act()
    except RefusedError as error:
        messages.error(request, error.sentence)
        return False
    return True
