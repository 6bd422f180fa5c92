"""Following players, and the page of those whom an account follows."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.lookup import player_or_404, signed_in
from games.players.following import FollowError, follow, unfollow
from games.web.answers import SeeOther
from games.web.players.following import followed_players


@require_safe
@login_required
@never_cache
def following(request: HttpRequest) -> HttpResponse:
    """Show whom the account follows, and what they played last."""
    return render(request, "games/players/following.html", {"players": followed_players(request.user, request.GET)})


@require_POST
@login_required
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Follow a player, or stop following."""
    player, account = player_or_404(request, pk), signed_in(request)
    try:
        if request.POST.get("follow") == "yes":
            follow(player, account, now=timezone.now())
        elif request.POST.get("follow") == "no":
            unfollow(player, account)
    except FollowError as error:
        messages.error(request, error.sentence)
    listed = request.POST.get("back") == "list"
    return SeeOther(reverse("account-following") if listed else player.get_absolute_url())
