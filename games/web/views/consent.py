"""The seats' words about a game: given, taken back, disputed."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from games.models import Dispute, Game
from games.services import consent
from games.services.rating import rate_at_once
from games.web.answers import SeeOther
from games.web.asking import signed_in
from games.web.throttle import DisputeThrottle, seconds_to_wait
from games.web.views.games import found_game, shown

Word = Callable[[Game, User], object]


@require_POST
@login_required
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Take the word of the reader's seat that the game was played so."""
    answer = _taken(request, key, lambda game, account: consent.confirm(game, account, now=timezone.now()))
    rate_at_once(now=timezone.now())
    return answer


@require_POST
@login_required
def withdraw(request: HttpRequest, key: str) -> HttpResponse:
    """Take it back."""
    return _taken(request, key, lambda game, account: consent.withdraw(game, account, now=timezone.now()))


@require_POST
@login_required
def dispute(request: HttpRequest, key: str) -> HttpResponse:
    """Take the word of the reader's seat that it was not."""
    if wait := seconds_to_wait(request, DisputeThrottle()):
        return _later(request, key, wait)
    reason = request.POST.get("reason", "")[:1000]
    return _taken(request, key, lambda game, account: consent.dispute(game, account, reason=reason, now=timezone.now()))


@require_POST
@login_required
def withdraw_dispute(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Take that back."""
    answer = _taken(
        request, key, lambda game, account: consent.withdraw_dispute(game, account, pk=pk, now=timezone.now())
    )
    rate_at_once(now=timezone.now())
    return answer


def _later(request: HttpRequest, key: str, wait: int) -> HttpResponse:
    said = gettext("That was a lot of disputes at once. Try again in {minutes} minutes.").format(minutes=-(-wait // 60))
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
    except consent.ConsentError as error:
        return shown(request, game, refused=error.sentence, status=409)
    return SeeOther(f"{game.get_absolute_url()}#consent")
