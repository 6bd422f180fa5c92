"""The page of a game."""

from csp.decorators import csp_replace
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_POST, require_safe

from engine.verify import ENGINE_VERSION
from games.clubs.correcting import correct_facts
from games.consent.privacy import hide, show
from games.lookup import club_or_404, game_or_404, signed_in
from games.models import Game
from games.platform.freshness import stays_fresh
from games.records.reads import pictures
from games.records.reads.dealings import dealing_of
from games.records.reads.games import find_game_by_key
from games.records.reads.pictures import PictureError
from games.records.reads.visibility import NOBODY
from games.web.answers import SeeOther, tried
from games.web.game.booklet import booklet as printed
from games.web.game.card import card_png
from games.web.game.closer import game_closer
from games.web.game.dealing import dealing_page
from games.web.game.embed import embed as embedded
from games.web.game.page import game_page
from games.web.game.replay import game_moves
from games.web.parameters import hides_results, text_from
from games.web.proof_texts import proof_texts
from games.web.rate_limits import PictureThrottle, ThumbnailThrottle, TooManyError, charge_for, seconds_to_wait


@require_safe
def game(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game at one ply; to a script only the moves around it, or the position looked at closer."""
    found = game_or_404(request, key)
    if request.GET.get("part") == "moves":
        moves = game_moves(found, request.user, request.GET.get("ply", ""))
        return _fresh(render(request, "games/records/moves.html", {"moves": moves}), found)
    if request.GET.get("part") == "closer":
        closer = game_closer(found, request.user, request.GET.get("ply", ""))
        return render(request, "games/records/closer.html", {"closer": closer})
    return shown(request, found)


@require_safe
def dealing(request: HttpRequest, key: str) -> HttpResponse:
    """Show how a game was dealt. :raises Http404: where its record says nothing of that."""
    found = game_or_404(request, key)
    read = dealing_of(found, request.user)
    if read is None:
        raise Http404
    return render(request, "games/records/dealing.html", {"page": dealing_page(found, read)})


@require_safe
def card(request: HttpRequest, key: str) -> HttpResponse:
    """Return the picture with which a link to a game is shown elsewhere."""
    if wait := seconds_to_wait(request, PictureThrottle()):
        answer = render(request, "429.html", {"wait": wait}, status=429)
        answer["Retry-After"] = str(wait)
        return answer
    theme = "dark" if request.GET.get("theme") == "dark" else "light"
    try:
        return HttpResponse(card_png(game_or_404(request, key), request.user, theme=theme), content_type="image/png")
    except PictureError as error:
        headers = {"Content-Type": "text/plain; charset=utf-8", "Retry-After": "5"}
        return HttpResponse(error.sentence, status=503, headers=headers)


@require_safe
def thumbnail(request: HttpRequest, key: str) -> HttpResponse:
    """Return the small picture of a game's last position that lists show. :raises Http404: when nothing was played."""
    try:
        charge = charge_for(ThumbnailThrottle(), request)
        small = pictures.thumbnail(game_or_404(request, key), request.user, charge=charge)
    except TooManyError as error:
        return HttpResponse(status=429, headers={"Retry-After": str(error.wait)})
    except PictureError as error:
        headers = {"Content-Type": "text/plain; charset=utf-8", "Retry-After": "5"}
        return HttpResponse(error.sentence, status=503, headers=headers)
    if small is None:
        raise Http404
    return HttpResponse(small, content_type="image/webp")


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type] # its types know no views with arguments
def embed(request: HttpRequest, key: str) -> HttpResponse:
    """Show a public game in a frame, which may be on any site: the same to everybody, and nothing can be done in it.

    :raises Http404: when strangers may not see the game.
    """
    found = find_game_by_key(key, NOBODY)
    if found is None:
        raise Http404
    page = embedded(found, request.GET.get("ply", ""), request.GET.get("theme", ""))
    return _fresh(render(request, "games/records/embed.html", {"page": page}), found)


@require_safe
def booklet(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game to print. :raises Http404: when nothing of it could be played."""
    page = printed(game_or_404(request, key), request.user, request.GET, hides=hides_results(request))
    return render(request, "games/records/booklet.html", {"page": page})


@require_POST
@login_required
def privacy(request: HttpRequest, key: str) -> HttpResponse:
    """Hide a game from others, or show it to everybody."""
    found = game_or_404(request, key)
    turn = hide if request.POST.get("private") == "yes" else show
    tried(request, lambda: turn(found, signed_in(request), now=timezone.now()))
    return SeeOther(found.get_absolute_url())


@require_POST
@login_required
def facts(request: HttpRequest, key: str) -> HttpResponse:
    """Correct date and event of a game for a club."""
    found = game_or_404(request, key)
    club = club_or_404(text_from(request.POST, "club"))
    said = {name: request.POST[name] for name in ("date", "event") if name in request.POST}
    tried(request, lambda: correct_facts(found, club, said, by=signed_in(request), now=timezone.now()))
    return SeeOther(f"{found.get_absolute_url()}#hand-ins")


def shown(request: HttpRequest, game: Game, *, refused: str = "", reason: str = "", status: int = 200) -> HttpResponse:
    """Show a game's page with the reason why a request was refused."""
    page = game_page(
        game,
        request.user,
        request.GET,
        now=timezone.now(),
        refused=refused,
        reason=reason,
        hides=hides_results(request),
    )
    values = {"page": page, "proof_texts": proof_texts(), "engine_version": ENGINE_VERSION}
    answer = render(request, "games/records/game.html", values, status=status)
    return stays_fresh(answer, page.consent.until if page.consent else None) if page.is_settled else answer


def _fresh(answer: HttpResponse, game: Game) -> HttpResponse:
    """Return what shows nothing but how a game was played, by whom, and when."""
    return answer if game.private else stays_fresh(answer)
