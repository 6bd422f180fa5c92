"""The list of games."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.platform.paging import CursorError
from games.platform.patience import TooSlowError
from games.search.reads.openings import OpeningError
from games.search.reads.positions import PositionError
from games.web.filters import filters
from games.web.records.filter_form import GameFilterForm
from games.web.records.games import games_page, no_games


@require_safe
@filters(*GameFilterForm.base_fields, "before", "after", "add")
def games(request: HttpRequest) -> HttpResponse:
    """Show a page of the games that match the filter, newest first."""
    form = GameFilterForm(request.GET, label_suffix="")
    if not form.is_valid():
        return _none(request, form)
    try:
        page = games_page(form.cleaned_data, request.GET, request.user)
    except (PositionError, OpeningError) as error:
        form.add_error(None, error.sentence)
        return _none(request, form)
    except TooSlowError as error:
        return _none(request, form, status=422, too_slow=error.sentence)
    except CursorError:
        return _none(request, form, bad_mark=True)
    return render(request, "games/records/games.html", {"form": form, "page": page})


def _none(request: HttpRequest, form: GameFilterForm, status: int = 400, **why: object) -> HttpResponse:
    """Show the filter with the reason why it finds no games."""
    values = {"form": form, "page": no_games(), **why}
    return render(request, "games/records/games.html", values, status=status)
