"""Writing a comment on a game, and the page of one comment."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.comments import writing
from games.lookup import comment_or_404, game_or_404, signed_in
from games.models import Game, GameComment
from games.platform.errors import RefusedError
from games.web.answers import SeeOther
from games.web.comments import unsent
from games.web.comments.pages import comment_page, own_comments
from games.web.parameters import number_from, text_from
from games.web.rate_limits import check_reports

_TYPED_MOST = 20_000
"""Characters of a text that is too long, which are sent back so that it can be shortened."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def write(request: HttpRequest, key: str) -> HttpResponse:
    """Write a comment on a game; one that is refused, or whose author was signed out, is shown again."""
    game = game_or_404(request, key)
    if request.method != "POST":
        return _again(request, game)
    text, ply = request.POST.get("text", ""), number_from(request.POST, "ply")
    is_about_ply = request.POST.get("at") == "yes"
    if not request.user.is_authenticated:
        unsent.keep(request, request.path, unsent.Unsent(text, ply, is_about_ply), now=timezone.now())
        return redirect_to_login(request.path)
    try:
        made = writing.write(game, text, by=signed_in(request), now=timezone.now(), ply=ply if is_about_ply else None)
    except RefusedError as error:
        sent = unsent.Unsent(text[:_TYPED_MOST], ply, is_about_ply)
        return _typed(request, game, sent, refusal=error.sentence)
    unsent.forget(request)
    return SeeOther(f"{game.get_absolute_url()}#comment-{made.pk}")


def _again(request: HttpRequest, game: Game) -> HttpResponse:
    """Show a comment that was typed before its author signed in."""
    found = unsent.take(request, request.path, now=timezone.now()) if request.user.is_authenticated else None
    return _typed(request, game, found) if found else SeeOther(f"{game.get_absolute_url()}#comments")


def _typed(request: HttpRequest, game: Game, sent: unsent.Unsent, *, refusal: str = "") -> HttpResponse:
    values = {"game": game.get_absolute_url(), "key": game.key, "refusal": refusal, "sent": sent}
    return render(request, "games/comments/write.html", values, status=422 if refusal else 200)


@require_safe
@login_required
@never_cache
def own(request: HttpRequest) -> HttpResponse:
    """Show what an account has commented, newest first."""
    comments = own_comments(signed_in(request), request.GET)
    return render(request, "games/comments/own.html", {"comments": comments})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def comment(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one comment; change, delete or report it."""
    found = comment_or_404(request, pk)
    if request.method != "POST":
        return _shown(request, found)
    if not request.user.is_authenticated:
        return redirect_to_login(found.get_absolute_url())
    act = _ACTS.get(text_from(request.POST, "act"))
    try:
        return act(request, found) if act else SeeOther(found.get_absolute_url())
    except RefusedError as error:
        return _shown(request, found, refusal=error.sentence, status=422)


def _shown(request: HttpRequest, found: GameComment, *, refusal: str = "", status: int = 200) -> HttpResponse:
    sent = {name: request.POST.get(name, "")[:_TYPED_MOST] for name in ("text", "reason")}
    page = comment_page(found, request.user, now=timezone.now())
    values = {"page": page, "refusal": refusal, "sent": sent}
    return render(request, "games/comments/comment.html", values, status=status)


def _change(request: HttpRequest, found: GameComment) -> HttpResponse:
    text, version = request.POST.get("text", ""), number_from(request.POST, "version")
    writing.change(found, text, version, by=signed_in(request), now=timezone.now())
    return SeeOther(found.get_absolute_url())


def _delete(request: HttpRequest, found: GameComment) -> HttpResponse:
    page = comment_page(found, request.user, now=timezone.now())
    writing.delete(found, by=signed_in(request))
    messages.success(request, gettext("The comment is deleted."))
    return SeeOther(f"{page.game}#comments" if page.game else "/")


def _report(request: HttpRequest, found: GameComment) -> HttpResponse:
    check_reports(request)
    writing.report(found, text_from(request.POST, "reason"), by=signed_in(request), now=timezone.now())
    messages.success(request, gettext("Thank you. A moderator will look at this comment."))
    return SeeOther(found.get_absolute_url())


_ACTS: dict[str, Callable[[HttpRequest, GameComment], HttpResponse]] = {
    "change": _change,
    "delete": _delete,
    "report": _report,
}
