"""The leaderboards."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.registry import ruleset_by_slug
from games.web.numbers import number_asked
from games.web.pages.ladder import ladder_page, tops

_TOP = 10


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """The best of every ruleset."""
    return render(request, "games/leaderboards.html", {"ladders": tops(_TOP)})


@require_safe
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """One ruleset's players, by rating."""
    try:
        ruleset = ruleset_by_slug(slug)
    except KeyError:
        raise Http404 from None
    page = ladder_page(ruleset, start=max(1, number_asked(request, "start")))
    return render(request, "games/leaderboard.html", {"page": page})
