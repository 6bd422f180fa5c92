"""Games that wait before they count: looked at and settled, one at a time or together."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import tasks
from games.lookup import signed_in
from games.models import Flag
from games.moderation.decisions import Decision, ModerationError, may_settle, settle_flag, settle_flags
from games.platform.errors import RefusedError
from games.web.answers import SeeOther
from games.web.holds.page import hold_page
from games.web.moderation.cases import flag_cases
from games.web.parameters import DIGITS, text_from, texts_from

_TOGETHER = 100
"""Flags that are settled in one request."""
_ACTS = {"count": False, "settle": False, "leave": True}
"""What may be said, and whether the game is left unrated."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def hold(request: HttpRequest, pk: int) -> HttpResponse:
    """Show why a game waits, beside the game that it resembles, and settle it."""
    flag = get_object_or_404(Flag.objects.select_related("game", "player", "ladder__club"), pk=pk)
    if not may_settle(flag, signed_in(request)):
        raise Http404
    refusal = ""
    if request.method == "POST":
        refusal = _settle(request, [flag])
        if not refusal:
            return SeeOther(request.path)
    page = hold_page(flag, request.user)
    values = {"page": page, "refusal": refusal, "reason": text_from(request.POST, "reason")}
    return render(request, "games/moderation/hold.html", values, status=422 if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def together(request: HttpRequest) -> HttpResponse:
    """Show the chosen flags together, and settle all of them."""
    found = _chosen(request)
    if not found:
        return SeeOther(reverse("account"))
    if any(not may_settle(flag, signed_in(request)) for flag in found):
        raise Http404
    refusal = ""
    if request.method == "POST":
        refusal = _settle(request, found)
        if not refusal:
            club = found[0].ladder.club if found[0].ladder else None
            return SeeOther(club.get_absolute_url() if club else reverse("moderation"))
    games = {flag.game_id for flag in found if flag.ladder_id}
    values = {
        "flags": flag_cases(found), "games": len(games), "refusal": refusal,
        "reason": text_from(request.POST, "reason"),
    }  # fmt: skip
    return render(request, "games/moderation/settle_together.html", values, status=422 if refusal else 200)


def _chosen(request: HttpRequest) -> list[Flag]:
    asked = texts_from(request.POST if request.method == "POST" else request.GET, "flag")[:_TOGETHER]
    numbers = [int(one) for one in asked if one.isascii() and one.isdigit() and len(one) <= DIGITS]
    open_ = Flag.objects.filter(pk__in=numbers, settled_at=None)
    return list(open_.select_related("game", "player", "ladder__club").order_by("pk"))


def _settle(request: HttpRequest, found: list[Flag]) -> str:
    """Settle flags. :returns: why that is refused; empty if it is done."""
    decision = Decision(signed_in(request), timezone.now(), text_from(request.POST, "reason"))
    act = request.POST.get("act", "")
    try:
        if act not in _ACTS:
            raise ModerationError("no_act", "Nothing was selected.")
        if len(found) == 1:
            settle_flag(found[0], decision, unrated=_ACTS[act])
        else:
            settle_flags(found, decision, unrated=_ACTS[act])
    except RefusedError as error:
        return error.sentence
    tasks.wake_workers()
    return ""
