"""The leaderboards: of the whole site, and of clubs."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from engine.verify import ENGINE_VERSION
from games.ladders.leaderboard import Leaderboard
from games.ladders.leaderboard import leaderboard as find
from games.ladders.reads.leaderboard_query import LeaderboardQuery, read
from games.ladders.snapshots import BusyError
from games.lagging import may_lag
from games.lookup import club_or_site, ruleset_or_404
from games.platform.paging import CursorError
from games.platform.parameters import ParameterError
from games.players.reads.players import own_number
from games.web.filters import filters
from games.web.ladders.errors import PATIENCE, error_page, later
from games.web.ladders.leaderboard import api_address, leaderboard_page
from games.web.ladders.lines import tops
from games.web.links import leaderboard_url
from games.web.proof_texts import proof_texts
from games.web.rate_limits import BoardThrottle, TooManyError, charge_for

_TOP = 10


@require_safe
@may_lag
@filters()
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the best of every ruleset."""
    return render(request, "games/ladders/leaderboards.html", {"ladders": tops(_TOP)})


@require_safe
@may_lag
@filters(*LeaderboardQuery.__slots__)
def leaderboard(request: HttpRequest, slug: str, club: str = "") -> HttpResponse:
    """Show one ruleset's players, by rating, as they are asked for."""
    ruleset, of = ruleset_or_404(slug), club_or_site(club)
    if ruleset.slug != slug:
        return _with_its_query(request, leaderboard_url(ruleset.slug, of))
    try:
        now = timezone.now()
        charge = charge_for(BoardThrottle(), request)
        found = find(slug, of, read(request.GET.dict(), now.date()), now=now, charge=charge)
    except ParameterError as error:
        return error_page(request, ruleset, of, error.sentence)
    except BusyError as error:
        return later(error_page(request, ruleset, of, error.sentence, status=503))
    except TooManyError as error:
        return later(error_page(request, ruleset, of, _too_many(error.wait), status=429), error.wait)
    except CursorError:
        sentence = gettext("This page does not exist: the value of “before” or “after” in the address is not valid.")
        return error_page(request, ruleset, of, sentence)
    page = leaderboard_page(found, ruleset, me=_me(request, found), address=settings.SITE_URL, now=now)
    values: dict[str, Any] = {"page": page}
    if page.proof:
        values |= {"proof_texts": proof_texts(), "engine_version": ENGINE_VERSION}
    answer = render(request, "games/ladders/leaderboard.html", values, status=202 if found.waiting else 200)
    if found.waiting:
        answer["Refresh"] = str(PATIENCE)
    return answer


@require_safe
def games(request: HttpRequest, slug: str, club: str = "") -> HttpResponse:
    """Redirect to the games behind a leaderboard in the API."""
    address = api_address("leaderboard-games", ruleset_or_404(slug).slug, club_or_site(club))
    return _with_its_query(request, address)


def _too_many(wait: int) -> str:
    """Answer when the reader may request computed boards again."""
    minutes = -(-wait // 60)
    return ngettext(
        "You asked for too many leaderboards of past days. Try again in {minutes} minute, "
        "or open one that was computed before.",
        "You asked for too many leaderboards of past days. Try again in {minutes} minutes, "
        "or open one that was computed before.",
        minutes,
    ).format(minutes=minutes)


def _with_its_query(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect to another address with the same query."""
    query = request.META.get("QUERY_STRING", "")
    return redirect(f"{address}?{query}" if query else address)


def _me(request: HttpRequest, found: Leaderboard) -> int | None:
    """Return the reader's own player on this ladder."""
    if found.ladder is None or not request.user.is_authenticated:
        return None
    return own_number(request.user.pk, found.ladder)
