"""The pages of a player."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from engine.registry import ruleset_by_slug
from games.ladders.reads import careers
from games.ladders.reads.ladders import find_ladder_of
from games.ladders.snapshots import BusyError
from games.lagging import may_lag
from games.lookup import player_or_404
from games.models import Ladder
from games.platform.paging import CursorError
from games.platform.patience import TooSlowError
from games.search.reads.openings import OpeningError
from games.search.reads.positions import PositionError
from games.web.answers import SeeOther
from games.web.filters import filters
from games.web.ladders.career import career_page
from games.web.ladders.cause import cause_page
from games.web.ladders.errors import error_page, later
from games.web.links import career_url, pair_url
from games.web.parameters import by_from, hides_results_until_asked, text_from
from games.web.players.directory import directory_page
from games.web.players.pair import pair_page
from games.web.players.player import player_page
from games.web.records.filter_form import PairFilterForm


@require_safe
@may_lag
@filters("q", "ruleset", "club", "active", "after", name="q", player="q")
def players(request: HttpRequest) -> HttpResponse:
    """Show the directory of players."""
    page = directory_page(request.GET, request.user, now=timezone.now())
    return render(request, "games/players/directory.html", {"page": page})


@require_safe
@may_lag
@filters("namesakes", "by")
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a name, its results and its games."""
    found = player_or_404(request, pk)
    page = player_page(found, by_from(request), request.user, request.GET, now=timezone.now())
    return render(
        request,
        "games/players/player.html",
        {"page": page, "panel": page.panel, "hides": hides_results_until_asked(request)},
    )


@require_safe
@filters(*PairFilterForm.base_fields, "before", "after")
def pair(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """Show the score of two players, by seat, and their games."""
    player, opponent = player_or_404(request, pk), player_or_404(request, other)
    if player.rated_id == opponent.rated_id:
        raise Http404
    form = PairFilterForm(request.GET, label_suffix="")
    try:
        page = pair_page(player, opponent, form, request.GET, request.user)
    except (PositionError, OpeningError, TooSlowError) as error:
        form.add_error(None, error.sentence)
        page = pair_page(player, opponent, form, request.GET, request.user)
    except CursorError:
        return SeeOther(pair_url(pk, other))
    values = {"form": form, "page": page, "hides": hides_results_until_asked(request)}
    return render(request, "games/players/pair.html", values, status=400 if form.errors else 200)


@require_safe
@may_lag
@filters("club", "by", "before")
def career(request: HttpRequest, pk: int, slug: str) -> HttpResponse:
    """Show what a player has done on one ladder."""
    found = player_or_404(request, pk)
    ladder = _ladder(request, slug)
    by, before = by_from(request), request.GET.get("before", "")
    try:
        page = career_page(found, ladder, by, before=before, asked="result" in request.GET, now=timezone.now())
    except CursorError:
        return SeeOther(career_url(pk, ladder, by))
    except BusyError as error:
        return later(error_page(request, ruleset_by_slug(ladder.ruleset), ladder.club, error.sentence, status=503))
    return render(request, "games/ladders/career.html", {"page": page, "hides": hides_results_until_asked(request)})


@require_safe
@may_lag
@filters("by")
def cause(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show why a game changed a player's rating."""
    found = careers.cause(player_or_404(request, pk), number, by_from(request))
    if found is None:
        raise Http404
    return render(
        request, "games/ladders/cause.html", {"page": cause_page(found), "hides": hides_results_until_asked(request)}
    )


def _ladder(request: HttpRequest, slug: str) -> Ladder:
    ladder = find_ladder_of(slug, text_from(request.GET, "club"))
    if ladder is None:
        raise Http404
    return ladder
