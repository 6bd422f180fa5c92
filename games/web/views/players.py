"""The page of a player."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import Player
from games.selectors.players import find_player
from games.web.pages.claims import claim_panel
from games.web.pages.player import player_page


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """A name, its results and its games."""
    try:
        found = find_player(pk, request.user)
    except Player.DoesNotExist:
        raise Http404 from None
    return render(
        request,
        "games/player.html",
        {"page": player_page(found, request.user), "panel": claim_panel(found, request.user)},
    )
