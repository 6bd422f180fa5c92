"""The seats' words about a game: given, taken back, disputed."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.consent import confirmations
from games.consent.reads.challenges import find_seating
from games.consent.seatings import SeatingError, choose
from games.finding import found_game, signed_in
from games.models import Dispute, Game
from games.platform.paging import CursorError
from games.records.reads.games import find_game
from games.run import rate_at_once
from games.web.answers import SeeOther
from games.web.asking import text_asked, texts_asked
from games.web.consent.waiting import to_settle, waiting_page
from games.web.records.views import shown
from games.web.throttle import DisputeThrottle, seconds_to_wait

_AT_ONCE = 50
"""Games that are confirmed in one request."""
Word = Callable[[Game, User], object]


@require_POST
@login_required
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Take the word of the reader's seat that the game was played so."""
    answer = _taken(request, key, lambda game, account: confirmations.confirm(game, account, now=timezone.now()))
    rate_at_once([key], now=timezone.now)
    return answer


@require_POST
@login_required
def withdraw(request: HttpRequest, key: str) -> HttpResponse:
    """Take it back."""
    return _taken(request, key, lambda game, account: confirmations.withdraw(game, account, now=timezone.now()))


@require_POST
@login_required
def choose_seating(request: HttpRequest, key: str) -> HttpResponse:
    """Take the reader's word on which of the seatings is right."""
    game = found_game(request, key)
    try:
        seating = find_seating(game, text_asked(request.POST, "seating"))
        applies = choose(seating, signed_in(request), now=timezone.now())
    except Game.DoesNotExist:
        raise Http404 from None
    except SeatingError as error:
        return shown(request, game, refused=error.sentence, status=409)
    rate_at_once([applies.key], now=timezone.now)
    return SeeOther(f"{applies.get_absolute_url()}#consent")


@require_POST
@login_required
def dispute(request: HttpRequest, key: str) -> HttpResponse:
    """Take the word of the reader's seat that it was not."""
    if wait := seconds_to_wait(request, DisputeThrottle()):
        return _later(request, key, wait)
    reason = text_asked(request.POST, "reason")
    return _taken(
        request, key, lambda game, account: confirmations.dispute(game, account, reason=reason, now=timezone.now())
    )


@require_POST
@login_required
def withdraw_dispute(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Take that back."""
    answer = _taken(
        request, key, lambda game, account: confirmations.withdraw_dispute(game, account, pk=pk, now=timezone.now())
    )
    rate_at_once([key], now=timezone.now)
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def waiting(request: HttpRequest) -> HttpResponse:
    """The games that wait for the reader's word; those that were chosen are confirmed."""
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
    only = text_asked(request.POST, "only")
    chosen = [only] if only else texts_asked(request.POST, "game")[:_AT_ONCE]
    refused = {key: sentence for key in dict.fromkeys(chosen) if (sentence := _refusal(request, key))}
    rate_at_once(set(chosen) - set(refused), now=timezone.now)
    if done := len(set(chosen)) - len(refused):
        said = ngettext("{count} game confirmed.", "{count} games confirmed.", done).format(count=done)
        messages.success(request, said)
    for key, sentence in refused.items():
        messages.error(request, f"{key}: {sentence}")


def _refusal(request: HttpRequest, key: str) -> str:
    """Confirms a game. :returns: why that could not be; empty if it could."""
    try:
        confirmations.confirm(find_game(key, request.user), signed_in(request), now=timezone.now())
    except Game.DoesNotExist:
        return gettext("There is no such game.")
    except confirmations.ConsentError as error:
        return error.sentence
    return ""


def _later(request: HttpRequest, key: str, wait: int) -> HttpResponse:
    minutes = -(-wait // 60)
    said = ngettext(
        "That was a lot of disputes at once. Try again in {minutes} minute.",
        "That was a lot of disputes at once. Try again in {minutes} minutes.",
        minutes,
    ).format(minutes=minutes)
    answer = shown(request, found_game(request, key), refused=said, status=429)
    answer["Retry-After"] = str(wait)
    return answer


def _taken(request: HttpRequest, key: str, word: Word) -> HttpResponse:
    """The game's page anew; or at once, with what hinders."""
    game = found_game(request, key)
    try:
        word(game, signed_in(request))
    except Dispute.DoesNotExist:
        raise Http404 from None
    except confirmations.ConsentError as error:
        return shown(request, game, refused=error.sentence, status=409)
    return SeeOther(f"{game.get_absolute_url()}#consent")
