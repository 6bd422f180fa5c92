"""Requests of an account while it is being deleted."""

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


class DeletedAccounts:
    """Middleware: answers requests that the database refused because the account no longer exists.

    This is the only place for it: whatever an account does refers to its row, which the database checks at the end and
    then rolls everything back. With a lock on the row, all requests of an account would wait for each other.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer that the account was deleted, if that is the reason; leave other errors to others."""
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
