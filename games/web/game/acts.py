"""Actions of a player on a game: confirm, withdraw, choose a seating, dispute."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.consent import confirmations
from games.consent.reads.challenges import find_seating
from games.consent.seatings import SeatingError, choose
from games.lookup import game_or_404, signed_in
from games.models import Dispute, Game
from games.run import rate_at_once
from games.web.answers import SeeOther
from games.web.game.views import shown
from games.web.parameters import text_from
from games.web.rate_limits import DisputeThrottle, seconds_to_wait

Change = Callable[[Game, User], object]


@require_POST
@login_required
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Confirm a game for the reader's seats."""
    answer = _taken(request, key, lambda game, account: confirmations.confirm(game, account, now=timezone.now()))
    rate_at_once([key], now=timezone.now)
    return answer


@require_POST
@login_required
def withdraw(request: HttpRequest, key: str) -> HttpResponse:
    """Withdraw the confirmation."""
    return _taken(request, key, lambda game, account: confirmations.withdraw(game, account, now=timezone.now()))


@require_POST
@login_required
def choose_seating(request: HttpRequest, key: str) -> HttpResponse:
    """Choose which of a game's seatings is right."""
    game = game_or_404(request, key)
    try:
        seating = find_seating(game, text_from(request.POST, "seating"))
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
    """Dispute a game for the reader's seats."""
    reason = text_from(request.POST, "reason")
    if wait := seconds_to_wait(request, DisputeThrottle()):
        return _later(request, key, wait, reason)
    return _taken(
        request,
        key,
        lambda game, account: confirmations.dispute(game, account, reason=reason, now=timezone.now()),
        reason=reason,
    )


@require_POST
@login_required
def withdraw_dispute(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Withdraw the dispute."""
    answer = _taken(
        request, key, lambda game, account: confirmations.withdraw_dispute(game, account, pk=pk, now=timezone.now())
    )
    rate_at_once([key], now=timezone.now)
    return answer


def _later(request: HttpRequest, key: str, wait: int, reason: str) -> HttpResponse:
    minutes = -(-wait // 60)
    said = ngettext(
        "Too many disputes at once. Try again in {minutes} minute.",
        "Too many disputes at once. Try again in {minutes} minutes.",
        minutes,
    ).format(minutes=minutes)
    answer = shown(request, game_or_404(request, key), refused=said, reason=reason, status=429)
    answer["Retry-After"] = str(wait)
    return answer


def _taken(request: HttpRequest, key: str, change: Change, *, reason: str = "") -> HttpResponse:
    """Do what a form asks, and show the game's page again, with the reason where it is refused."""
    game = game_or_404(request, key)
    try:
        change(game, signed_in(request))
    except Dispute.DoesNotExist:
        raise Http404 from None
    except confirmations.ConsentError as error:
        return shown(request, game, refused=error.sentence, reason=reason, status=409)
    return SeeOther(f"{game.get_absolute_url()}#consent")
