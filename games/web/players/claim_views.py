"""Saying that a name is one's own, and deciding about it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.lookup import claim_or_404, player_or_404, signed_in
from games.models import Claim
from games.players.claims import (
    ClaimError,
    contest,
    decide_claim,
    make_claim,
    mark_bot,
    revoke_claim,
    vouch,
    withdraw_claim,
)
from games.run import rate_at_once_of
from games.web.answers import SeeOther, tried
from games.web.parameters import text_from
from games.web.players.claims import claim_page, claims_page
from games.web.rate_limits import ClaimThrottle, seconds_to_wait


@require_safe
@login_required
@never_cache
def claims(request: HttpRequest) -> HttpResponse:
    """Show an account's players, its claims, and the claims of others that it decides."""
    return render(request, "games/players/players.html", {"page": claims_page(signed_in(request), request.GET)})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def claim(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one claim: to be looked at, decided, withdrawn or revoked."""
    found = claim_or_404(request, pk)
    if request.method != "POST":
        return _shown(request, found)
    try:
        _act(request, found)
    except ClaimError as error:
        if error.code == "changed_meanwhile":
            return _shown(request, found, refusal=error.sentence, status=409)
        messages.error(request, error.sentence)
    return SeeOther(request.path)


def _shown(request: HttpRequest, found: Claim, *, refusal: str = "", status: int = 200) -> HttpResponse:
    """Show a claim; a decision that came too late is given back with the reason."""
    found.refresh_from_db()
    page, answer = claim_page(found, signed_in(request)), text_from(request.POST, "answer")
    values = {"page": page, "refusal": refusal, "answer": answer}
    return render(request, "games/players/claim.html", values, status=status)


@require_POST
@login_required
def make(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that a player is oneself."""
    player, reason = player_or_404(request, pk), text_from(request.POST, "reason")
    if wait := seconds_to_wait(request, ClaimThrottle()):
        minutes = -(-wait // 60)
        said = ngettext(
            "Too many claims at once. Try again in {minutes} minute.",
            "Too many claims at once. Try again in {minutes} minutes.",
            minutes,
        )
        messages.error(request, said.format(minutes=minutes))
    elif tried(request, lambda: make_claim(player, signed_in(request), reason=reason, now=timezone.now())):
        messages.success(request, gettext("Your claim is saved. Its page shows who decides, and until when."))
    return SeeOther(player.get_absolute_url())


@require_POST
@login_required
def bot(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that a program plays under a name of one's own, or none."""
    player, is_bot = player_or_404(request, pk), request.POST.get("bot") == "yes"
    tried(request, lambda: mark_bot(player, signed_in(request), is_bot=is_bot, now=timezone.now()))
    return SeeOther(player.get_absolute_url())


def _act(request: HttpRequest, found: Claim) -> None:
    user, now, answer = signed_in(request), timezone.now(), text_from(request.POST, "answer")
    match request.POST.get("act"):
        case "approve" | "refuse" as act:
            decide_claim(
                found, approve=act == "approve", by=user, answer=answer, seen=request.POST.get("seen"), now=now
            )
        case "contest":
            contest(found, user, reason=answer, now=now)
        case "vouch":
            vouch(found, by=user, reason=answer, now=now)
        case "withdraw":
            withdraw_claim(found, user, now=now)
        case "revoke":
            revoke_claim(found, by=user, answer=answer, now=now)
    rate_at_once_of(found.player_id, now=timezone.now)
