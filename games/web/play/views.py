"""The lobby and the pages of tables. What a script does through the interface is done here by forms without one."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from games.guests import keep_guest, person_of, somebody
from games.lookup import network_from
from games.models import Table
from games.playing import acting, leaving, opening, phrases, rematches
from games.playing.errors import PlayError
from games.playing.opening import Addition
from games.playing.reads import own
from games.playing.reads.people import Person
from games.playing.site_names import accounts_named
from games.web.answers import SeeOther
from games.web.filters import filters, only
from games.web.parameters import number_from, text_from
from games.web.play.labels import STRENGTHS
from games.web.play.lobby import lobby_page, options_from
from games.web.play.now import play_cards, play_now
from games.web.play.parts import parts_html
from games.web.play.table import table_page
from games.web.rate_limits import TableThrottle, seconds_to_wait


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@csrf_protect
@filters("ruleset", "pace", "rated", "lists", "time", "visibility", "first", "against", "places", "names")
def lobby(request: HttpRequest) -> HttpResponse:
    """Show which tables there are, and open a new one; with `lists`, the lists alone, for the page's script."""
    if request.method != "POST":
        template = "games/play/lists.html" if "lists" in request.GET else "games/play/lobby.html"
        page = lobby_page(person_of(request), request.GET, request.GET, now=timezone.now())
        return render(request, template, {"page": page, "cards": play_cards(), "strengths": STRENGTHS})
    person, token = somebody(request)
    try:
        _check_pace(request)
        table = _opened(request, person)
    except PlayError as error:
        page = lobby_page(person_of(request), request.GET, request.POST, error.sentence, now=timezone.now())
        values = {"page": page, "cards": play_cards(), "strengths": STRENGTHS}
        return render(request, "games/play/lobby.html", values, status=422)
    answer = SeeOther(table.get_absolute_url())
    keep_guest(answer, token, secure=request.is_secure())
    return answer


def _opened(request: HttpRequest, person: Person) -> Table:
    """Open a table as the form says; from a card of a game the player sits down, too. :raises PlayError: if not."""
    now, network = timezone.now(), network_from(request)
    if text_from(request.POST, "do") == "now":
        return play_now(request.POST, person, network=network, now=now)
    options, names = options_from(request.POST)
    return opening.open_table(_with_invited(options, names), person, network=network, now=now)


def _check_pace(request: HttpRequest) -> None:
    """Count a table. :raises PlayError: when too many were opened from this address, or by this account."""
    if seconds_to_wait(request, TableThrottle()):
        raise PlayError("throttled", "Too many tables at once. Try again in some minutes.")


def _with_invited(options: opening.TableOptions, names: list[str]) -> opening.TableOptions:
    return replace(options, invited=accounts_named(names))


@require_safe
@never_cache
@only()
def waiting(request: HttpRequest) -> HttpResponse:
    """Say at how many tables it is the reader's turn."""
    person = person_of(request)
    names = [own.name_of(person)] if person.is_somebody else []
    return JsonResponse({"count": sum(map(len, own.to_act(names).values()))})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@csrf_protect
def table(request: HttpRequest, key: str) -> HttpResponse:
    """Show a table, or do something there.

    A form that is sent with `parts` is answered with the parts of the page after it.
    """
    try:
        found = Table.objects.select_related("game").get(key=key)
    except Table.DoesNotExist:
        raise Http404 from None
    if request.method == "POST":
        return _act(request, found)
    return render(request, "games/play/table.html", {"page": table_page(found, person_of(request))})


_PLY = re.compile(r"-1|[0-9]{1,7}")
Act = Callable[[str, Person, QueryDict], Any]


def _join(key: str, person: Person, fields: QueryDict) -> None:
    entropy = text_from(fields, "entropy") or opening.fresh_entropy()
    addition = Addition(entropy, text_from(fields, "letter")[:1], number_from(fields, "born") or None)
    opening.join(key, person, addition, now=timezone.now())


def _do_action(key: str, person: Person, fields: QueryDict) -> None:
    ply = text_from(fields, "ply")
    number = int(ply) if _PLY.fullmatch(ply) else -2  # such a ply is none
    acting.act(key, person, ply=number, token=text_from(fields, "token"), now=timezone.now())


_ACTS: dict[str, Act] = {
    "join": _join,
    "action": _do_action,
    "leave": lambda key, person, _: opening.leave(key, person, now=timezone.now()),
    "cancel": lambda key, person, _: opening.cancel(key, person, now=timezone.now()),
    "abort": lambda key, person, _: leaving.abort(key, person, now=timezone.now()),
    "resign": lambda key, person, _: leaving.resign(key, person, now=timezone.now()),
    "draw": lambda key, person, _: leaving.draw(key, person, now=timezone.now()),
    "decline": lambda key, person, _: leaving.draw(key, person, accept=False, now=timezone.now()),
    "phrase": lambda key, person, fields: phrases.send(key, person, text_from(fields, "phrase"), now=timezone.now()),
    "rematch": lambda key, person, fields: rematches.rematch(
        key, person, entropy=text_from(fields, "entropy"), now=timezone.now()
    ),
}


def _act(request: HttpRequest, found: Table) -> HttpResponse:
    person, token = somebody(request)
    do, made = _ACTS.get(text_from(request.POST, "do")), None
    try:
        made = do(found.key, person, request.POST) if do else None
    except PlayError as error:
        do = None
        messages.error(request, error.sentence)
    if "parts" in request.GET:
        return HttpResponse(parts_html(Table.objects.select_related("game").get(pk=found.pk), person))
    answer = SeeOther((made if isinstance(made, Table) else found).get_absolute_url())
    if do:
        keep_guest(answer, token, secure=request.is_secure())
    return answer
