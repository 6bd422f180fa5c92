"""The moderators' pages: what waits for them, one case at a time, and all that was decided."""

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import tasks
from games.consent.reads.challenges import find_seating
from games.lookup import game_or_404, signed_in
from games.models import Game, Player, TableAlarm
from games.moderation import decisions
from games.moderation.decisions import Decision, ModerationError
from games.moderation.versions import hold_game, hold_player
from games.platform.errors import RefusedError
from games.platform.paging import CursorError, Span
from games.playing.finishing import settle_alarm
from games.web.answers import SeeOther
from games.web.filters import filters
from games.web.moderation.acts import log_page
from games.web.moderation.guarding import moderators_only
from games.web.moderation.pages import Previews, game_cases, player_cases
from games.web.moderation.queue import queue_page
from games.web.parameters import number_from, text_from

M = TypeVar("M", bound=Model)


@moderators_only
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show all that waits for a moderator."""
    page = queue_page(request.user, text_from(request.GET, "find").strip(), request.GET)
    return render(request, "games/moderation/queue.html", {"page": page})


@moderators_only
@require_safe
@filters("before", "after")
def log(request: HttpRequest) -> HttpResponse:
    """Show all that was decided, newest first."""
    span = Span(before=request.GET.get("before", ""), after=request.GET.get("after", ""))
    try:
        return render(request, "games/moderation/log.html", {"page": log_page(span)})
    except CursorError:
        return SeeOther(reverse("moderation-log"))


@moderators_only
@require_POST
def alarm(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an alarm at which somebody has looked."""
    settle_alarm(get_object_or_404(TableAlarm, pk=pk), by=signed_in(request).pk, now=timezone.now())
    return SeeOther(reverse("moderation"))


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def game(request: HttpRequest, key: str) -> HttpResponse:
    """Show one game with its disputes, flags and ladders, and what annulling it would change."""
    found = game_or_404(request, key)
    refusal = ""
    if request.method == "POST":
        refusal = _decide(request, found, _decide_on_game)
        if not refusal:
            return SeeOther(request.path)
    asked = Previews(
        number_from(request.GET, "preview"), number_from(request.GET, "uphold"), text_from(request.GET, "seating")
    )
    page = game_cases(request.user, found, request.GET, asked, now=timezone.now())
    values = {"page": page, "refusal": refusal, "reason": text_from(request.POST, "reason")}
    return render(request, "games/moderation/game.html", values, status=422 if refusal else 200)


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one player: merging them with another, with what it would change, or splitting them again."""
    found = get_object_or_404(Player.objects.select_related("account", "merged_into"), pk=pk)
    refusal = ""
    if request.method == "POST":
        refusal = _decide(request, found, _decide_on_player)
        if not refusal:
            return SeeOther(request.path)
    page = player_cases(
        request.user,
        found,
        sought=text_from(request.GET, "name"),
        into=number_from(request.GET, "into"),
        split="split" in request.GET,
    )
    values = {"page": page, "refusal": refusal, "reason": text_from(request.POST, "reason")}
    return render(request, "games/moderation/player.html", values, status=422 if refusal else 200)


def _decide(request: HttpRequest, case: M, act: Callable[[HttpRequest, M, Decision], None]) -> str:
    """Take a decision about a case as its page showed it. :returns: why it could not be taken; empty when it was."""
    decision = Decision(signed_in(request), timezone.now(), text_from(request.POST, "reason"))
    try:
        with transaction.atomic():
            act(request, case, decision)
    except RefusedError as error:
        return error.sentence
    tasks.wake_workers()
    return ""


def _decide_on_game(request: HttpRequest, found: Game, decision: Decision) -> None:
    act, number = request.POST.get("act", ""), number_from(request.POST, "number")
    hold_game(found, text_from(request.POST, "version"))
    match act:
        case "annul":
            decisions.annul(get_object_or_404(found.acceptances, pk=number), decision)
        case "restore":
            decisions.restore(get_object_or_404(found.acceptances, pk=number), decision)
        case "uphold" | "dismiss":
            dispute = get_object_or_404(found.disputes, pk=number)
            decisions.settle_dispute(dispute, decision, upheld=act == "uphold")
        case "choose":
            decisions.choose_seating(_seating(found, request), decision)
        case "seat":
            names = {
                name.removeprefix("seat-"): text_from(request.POST, name)
                for name in request.POST
                if name.startswith("seat-")
            }
            decisions.seat_anew(found, names, decision)
        case _:
            raise ModerationError("no_act", "Nothing was selected.")


def _seating(found: Game, request: HttpRequest) -> Game:
    try:
        return find_seating(found, text_from(request.POST, "seating"))
    except Game.DoesNotExist:
        raise Http404 from None


def _decide_on_player(request: HttpRequest, found: Player, decision: Decision) -> None:
    hold_player(found, text_from(request.POST, "version"), number_from(request.POST, "into"))
    match request.POST.get("act", ""):
        case "merge":
            into = get_object_or_404(Player, pk=number_from(request.POST, "into"))
            decisions.merge(found, into, decision)
        case "part":
            decisions.part(found, decision)
        case "bot" | "person" as kind:
            decisions.mark_bot(found, decision, is_bot=kind == "bot")
        case _:
            raise ModerationError("no_act", "Nothing was selected.")
