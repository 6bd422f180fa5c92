"""The list of games, and the page of one, which is its replay."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import Game
from games.selectors.games import find_game
from games.selectors.paging import CursorError
from games.web.forms import GameFilterForm
from games.web.pages.game import game_page
from games.web.pages.games import games_page, no_games


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """A page of games, newest first, those that the filter lets through."""
    form = GameFilterForm(request.GET, label_suffix="")
    if not form.is_valid():
        return render(request, "games/games.html", {"form": form, "page": no_games()}, status=400)
    try:
        page = games_page(form.wanted, request.GET)
    except CursorError:
        return render(request, "games/games.html", {"form": form, "page": no_games(), "bad_mark": True}, status=400)
    return render(request, "games/games.html", {"form": form, "page": page})


@require_safe
def game(request: HttpRequest, key: str) -> HttpResponse:
    """The replay of a game at one ply, and what is known of it."""
    try:
        found = find_game(key)
    except Game.DoesNotExist:
        raise Http404 from None
    return render(request, "games/game.html", {"page": game_page(found, request.GET.get("ply", ""))})
