"""The page of a game."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games.consent.privacy import PrivacyError, hide, show
from games.lookup import found_game, signed_in
from games.models import Game
from games.records.reads.dealings import dealing_of
from games.web.answers import SeeOther
from games.web.asking import text_asked
from games.web.game.closer import game_closer
from games.web.game.dealing import dealing_page
from games.web.game.page import game_page
from games.web.game.replay import game_moves


@require_safe
def game(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game at one ply; to a script only the moves around it, or the position looked at closer."""
    found = found_game(request, key)
    if request.GET.get("part") == "moves":
        moves = game_moves(found, request.user, request.GET.get("ply", ""))
        return render(request, "games/records/moves.html", {"moves": moves})
    if request.GET.get("part") == "closer":
        closer = game_closer(found, request.user, request.GET.get("ply", ""))
        return render(request, "games/records/closer.html", {"closer": closer})
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
    """Show a game's page, and on it why what was asked for cannot be done."""
    page = game_page(
        game, request.user, request.GET, now=timezone.now(), refused=refused, reason=text_asked(request.POST, "reason")
    )
    return render(request, "games/records/game.html", {"page": page}, status=status)
