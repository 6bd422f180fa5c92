"""Requests of an account in the moment in which it is deleted."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext
from psycopg.errors import DeadlockDetected, ForeignKeyViolation

from engine.words import marked
from games.api.errors import shape
from games.web.answers import SeeOther

_SAID = marked("This account has just been deleted. Nothing was changed.")
_PROGRAMS = "/api/"
_REFUSED = (ForeignKeyViolation, DeadlockDetected)

Answer = Callable[[HttpRequest], HttpResponse]


class Gone:
    """Middleware: answers what the database refused because the account was not there any more.

    The one home for this: whatever an account does names its row, and the database looks for that row when all is done
    and undoes it. A lock on the row would have every act of an account wait for its every other.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Say what has become of the account, if that is why; else leave the error to others."""
        if not isinstance(error.__cause__, _REFUSED) or not _is_gone(request):
            return None
        if request.path.startswith(_PROGRAMS):
            return JsonResponse(shape("account_gone", _SAID), status=401)
        logout(request)
        messages.error(request, gettext(_SAID))
        return SeeOther(reverse("home"))


def _is_gone(request: HttpRequest) -> bool:
    account = request.user.pk if hasattr(request, "user") and request.user.is_authenticated else None
    return account is not None and not User.objects.filter(pk=account).exists()
