"""The list of games."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.platform.paging import CursorError
from games.search.reads.positions import PositionError
from games.web.forms import GameFilterForm
from games.web.records.games import games_page, no_games


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """Show a page of the games that match the filter, newest first."""
    form = GameFilterForm(request.GET, label_suffix="")
    if not form.is_valid():
        return render(request, "games/records/games.html", {"form": form, "page": no_games()}, status=400)
    try:
        page = games_page(form.cleaned_data, request.GET, request.user)
    except PositionError as error:
        form.add_error(None, error.sentence)
        return render(request, "games/records/games.html", {"form": form, "page": no_games()}, status=400)
    except CursorError:
        return render(
            request, "games/records/games.html", {"form": form, "page": no_games(), "bad_mark": True}, status=400
        )
    return render(request, "games/records/games.html", {"form": form, "page": page})
