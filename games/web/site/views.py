"""The first page, the guide to the API, the choice of language and theme, and the answer to too many forms."""

from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import check_for_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from rest_framework.throttling import SimpleRateThrottle

from games import cookies
from games.notices.preferences import keep_preferences
from games.records.reads.recranks import has_grammar
from games.records.reads.rulebook import FORMAT, documents
from games.uploads.cutting import MAX_GAMES
from games.uploads.reads.pace import counted
from games.uploads.source import MAX_BYTES
from games.web.answers import back_to
from games.web.filters import filters
from games.web.parameters import text_from
from games.web.site.home import home_page
from games.web.site.operator import about_page, contact_page, privacy_page
from games.web.site.search import search_page
from games.web.site.showcase import frame_shown, frames_shown, showcase_shown

_THEMES = frozenset({"light", "dark"})
_RESULTS = frozenset({"hide", "show"})
_SCOPES = {
    "anon": _("Without a token, for each address"),
    "user": _("With a token"),
    "upload": _("Uploads"),
    "export": _("Exports"),
    "suggestions": _("Suggestions"),
    "position": _("Positions"),
    "picture": _("Pictures"),
    "film": _("Films"),
}
"""What the guide to the API says of each kind of requests that is counted."""
_PERIOD = 60
"""Seconds in which forms for accounts are counted."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show a game that can be broken; then the games, who leads, and what is new.

    With `part` only the game's frames, or what changes on the page, for the page's script.
    """
    now, part = timezone.now(), request.GET.get("part")
    if part == "frames":
        return JsonResponse({"frames": frames_shown(request.GET, today=now.date())})
    if part == "showcase":
        return JsonResponse(_door(request, now.date()))
    return render(request, "games/site/home.html", {"page": home_page(request.GET, now=now)})


def _door(request: HttpRequest, today: date) -> dict[str, Any]:
    """Return what changes on the page when somebody breaks the game there or puts it back.

    `sheet=0` leaves out the list of moves, for a page that has it.
    """
    showcase = showcase_shown(request.GET, today=today)
    changed = {
        "ply": showcase.ply,
        "caption": showcase.caption,
        "frame": frame_shown(request.GET, today=today),
    }
    if request.GET.get("sheet") == "0":
        return changed
    return {**changed, "sheet": render_to_string("games/site/sheet.html", {"showcase": showcase}, request)}


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """Show how to begin, in three lines."""
    limits = {
        "bytes": MAX_BYTES,
        "games": MAX_GAMES,
        "form": settings.UPLOAD_MAX_FORM,
        "most": settings.UPLOAD_MAX_BYTES,
        "most_games": counted(settings.UPLOAD_MAX_GAMES),
    }
    page = {
        "site": settings.SITE_URL,
        "limits": limits,
        "rates": _rates(),
        "grammars": [
            {"title": document.title, "url": reverse("rules-grammar", args=[document.slug])}
            for document in documents()
            if document.slug != FORMAT and has_grammar(document.slug)
        ],
    }
    return render(request, "games/site/api.html", page)


def _rates() -> list[dict[str, object]]:
    """Return how many requests are answered, as the settings say: per minute, hour or day."""
    rates = SimpleRateThrottle.THROTTLE_RATES
    return [{"said": said, "rate": rates[scope]} for scope, said in _SCOPES.items() if rates.get(scope)]


@require_safe
@filters("q", "part", query="q", search="q")
def search(request: HttpRequest) -> HttpResponse:
    """Show what is found; with `part`, a few results as somebody types."""
    typing = "part" in request.GET
    page = search_page(text_from(request.GET, "q"), request.user, typing=typing)
    return render(request, f"games/site/{'found' if typing else 'search'}.html", {"page": page, "typing": typing})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show what the site is and who runs it."""
    return render(request, "games/site/about.html", {"page": about_page()})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which data are stored, what for, and how long."""
    return render(request, "games/site/privacy.html", {"page": privacy_page()})


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """Show whom to write to."""
    return render(request, "games/site/contact.html", {"page": contact_page()})


@csrf_exempt  # a stranger's form can at most change the language, and so no page needs a token's cookie for this
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Remember a choice in a cookie, which wins over what the browser asks for, and go back.

    Mails to a signed-in account use that language, too. (Forms on other sites do not carry the session.)
    """
    answer = back_to(request)
    chosen = request.POST.get("language", "")
    if chosen in dict(settings.LANGUAGES) and check_for_language(chosen):
        cookies.keep(answer, cookies.LANGUAGE, chosen, secure=request.is_secure())
        if request.user.is_authenticated:
            keep_preferences(request.user.pk, language=chosen)
    return answer


@csrf_exempt  # a stranger's form can at most turn the light on, and so no page needs a token's cookie for this
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Remember a choice in a cookie and go back; the script of the same name does so without a new page."""
    answer = back_to(request)
    if (chosen := request.POST.get("theme", "")) in _THEMES:
        cookies.keep(answer, cookies.THEME, chosen, secure=request.is_secure())
    return answer


@csrf_exempt  # a stranger's form can at most hide results, which every page can show again
@require_POST
def results(request: HttpRequest) -> HttpResponse:
    """Remember whether results of games are hidden until the reader asks for them, and go back."""
    answer = back_to(request)
    if (chosen := request.POST.get("results", "")) in _RESULTS:
        cookies.keep(answer, cookies.RESULTS, chosen, secure=request.is_secure())
    return answer


def too_many(request: HttpRequest) -> HttpResponse:
    """Answer with the time to wait when an address sends account forms too often."""
    answer = render(request, "429.html", {"wait": _PERIOD, "account": True}, status=429)
    answer["Retry-After"] = str(_PERIOD)
    return answer
