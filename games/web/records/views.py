"""The list of games, and the page of one, which is its replay."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games.consent.privacy import PrivacyError, hide, show
from games.finding import found_game, signed_in
from games.models import Game
from games.platform.paging import CursorError
from games.records.reads.dealings import dealing_of
from games.web.answers import SeeOther
from games.web.asking import text_asked
from games.web.consent.game_consent import consent_shown
from games.web.consent.seatings import seatings_shown
from games.web.forms import GameFilterForm
from games.web.numbers import number_asked
from games.web.records.dealing import dealing_page
from games.web.records.game import Asked, game_moves, game_page
from games.web.records.games import games_page, no_games


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """A page of games, newest first, those that the filter lets through."""
    form = GameFilterForm(request.GET, label_suffix="")
    if not form.is_valid():
        return render(request, "games/records/games.html", {"form": form, "page": no_games()}, status=400)
    try:
        page = games_page(form.wanted, request.GET, request.user)
    except CursorError:
        return render(
            request, "games/records/games.html", {"form": form, "page": no_games(), "bad_mark": True}, status=400
        )
    return render(request, "games/records/games.html", {"form": form, "page": page})


@require_safe
def game(request: HttpRequest, key: str) -> HttpResponse:
    """The replay of a game at one ply, and what is known of it; to a script the part of its moves around that ply."""
    found = found_game(request, key)
    if request.GET.get("part") == "moves":
        moves = game_moves(found, request.user, request.GET.get("ply", ""))
        return render(request, "games/records/moves.html", {"moves": moves})
    return shown(request, found)


@require_safe
def dealing(request: HttpRequest, key: str) -> HttpResponse:
    """Show how a game was dealt. :raises Http404: where its record says nothing of that."""
    found = found_game(request, key)
    read = dealing_of(found, request.user)
    if read is None:
        raise Http404
    return render(request, "games/records/dealing.html", {"page": dealing_page(found, read)})


@require_POST
@login_required
def privacy(request: HttpRequest, key: str) -> HttpResponse:
    """Hide a game from others, or show it to everybody."""
    found = found_game(request, key)
    turn = hide if request.POST.get("private") == "yes" else show
    try:
        turn(found, signed_in(request), now=timezone.now())
    except PrivacyError as error:
        messages.error(request, error.sentence)
    return SeeOther(found.get_absolute_url())


def shown(request: HttpRequest, game: Game, *, refused: str = "", status: int = 200) -> HttpResponse:
    """A game's page, and on it why what was asked for cannot be done."""
    said = text_asked(request.POST, "reason")
    consent = consent_shown(game, request.user, request.GET, now=timezone.now(), refused=refused, reason=said)
    seatings = seatings_shown(game, request.user, request.GET)
    asked = Asked(request.GET.get("ply", ""), number_asked(request, "uploads"))
    page = game_page(game, request.user, asked, consent, seatings)
    return render(request, "games/records/game.html", {"page": page}, status=status)
