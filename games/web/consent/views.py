"""The games that wait for the reader's confirmation."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.consent import confirmations
from games.lookup import signed_in
from games.models import Game
from games.platform.paging import CursorError
from games.records.reads.games import find_game
from games.run import rate_at_once
from games.web.answers import SeeOther
from games.web.consent.waiting import to_settle, waiting_page
from games.web.parameters import text_from, texts_from

_AT_ONCE = 50
"""Games that are confirmed in one request."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def waiting(request: HttpRequest) -> HttpResponse:
    """Show the games that the reader can confirm, and confirm those that were selected."""
    if request.method == "POST":
        _confirm_chosen(request)
        return SeeOther(reverse("account-waiting"))
    try:
        account = signed_in(request).pk
        page = waiting_page(account, request.GET, now=timezone.now())
        settle = to_settle(account, request.GET)
    except CursorError:
        return render(request, "games/consent/waiting.html", {"bad_mark": True}, status=400)
    return render(request, "games/consent/waiting.html", {"waiting": page, "to_settle": settle})


def _confirm_chosen(request: HttpRequest) -> None:
    only = text_from(request.POST, "only")
    all_shown = text_from(request.POST, "all").split()
    chosen = [only] if only else (all_shown or texts_from(request.POST, "game"))[:_AT_ONCE]
    refused = {key: sentence for key in dict.fromkeys(chosen) if (sentence := _refusal(request, key))}
    rate_at_once(set(chosen) - set(refused), now=timezone.now)
    if done := len(set(chosen)) - len(refused):
        said = ngettext("{count} game confirmed.", "{count} games confirmed.", done).format(count=done)
        messages.success(request, said)
    for key, sentence in refused.items():
        messages.error(request, f"{key}: {sentence}")


def _refusal(request: HttpRequest, key: str) -> str:
    """Confirm a game. :returns: why that was refused; empty if it was done."""
    try:
        confirmations.confirm(find_game(key, request.user), signed_in(request), now=timezone.now())
    except Game.DoesNotExist:
        return gettext("There is no such game.")
    except confirmations.ConsentError as error:
        return error.sentence
    return ""
