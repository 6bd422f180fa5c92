"""Pages of collections, and the forms that change them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.collections import keeping
from games.lookup import collection_or_404, game_or_404, own_collection_or_404, signed_in
from games.web.answers import SeeOther, tried
from games.web.collections.pages import collection_lines, collection_page
from games.web.parameters import text_from
from games.web.rate_limits import check_reports


@require_safe
@never_cache
def collection(request: HttpRequest, key: str) -> HttpResponse:
    """Show a collection: a public one to everybody, others to their account."""
    page = collection_page(collection_or_404(request, key), request.user, request.GET)
    return render(request, "games/collections/collection.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def collections(request: HttpRequest) -> HttpResponse:
    """Show the account's collections, or make one."""
    account, public, name = signed_in(request), request.POST.get("public") == "yes", text_from(request.POST, "name")
    if request.method == "POST":
        done = tried(request, lambda: keeping.make(account, name, public=public, now=timezone.now()))
        if done:
            return SeeOther(reverse("account-collections"))
    values = {"collections": collection_lines(account), "name": name, "public": public}
    status = 422 if request.method == "POST" else 200
    return render(request, "games/collections/collections.html", values, status=status)


@require_POST
@login_required
def change(request: HttpRequest, key: str) -> HttpResponse:
    """Rename, publish, hide or remove a collection, or take a game out."""
    found = own_collection_or_404(request, key)
    act = request.POST.get("act", "")
    if act == "remove":
        done = tried(request, lambda: keeping.remove(found))
        return SeeOther(reverse("account-collections") if done else reverse("collection", args=[key]))
    if act == "change":
        name, public = text_from(request.POST, "name"), request.POST.get("public") == "yes"
        tried(request, lambda: keeping.change(found, name=name, public=public))
    elif act == "take-out":
        keeping.take_out(found, text_from(request.POST, "game"))
    return SeeOther(reverse("collection", args=[key]))


@require_POST
@login_required
def report(request: HttpRequest, key: str) -> HttpResponse:
    """Report a collection to the moderators."""
    found, reason = collection_or_404(request, key), text_from(request.POST, "reason")

    def send() -> None:
        check_reports(request)
        keeping.report(found, reason, by=signed_in(request), now=timezone.now())

    if tried(request, send):
        messages.success(request, gettext("Thank you. A moderator will look at this collection."))
    return SeeOther(found.get_absolute_url())


@require_POST
@login_required
def favourite(request: HttpRequest, key: str) -> HttpResponse:
    """Add a game to the account's favourites, or take it out."""
    game, account = game_or_404(request, key), signed_in(request)
    wanted = request.POST.get("favourite") == "yes"
    tried(request, lambda: keeping.set_favourite(account, game, favourite=wanted, now=timezone.now()))
    return SeeOther(f"{game.get_absolute_url()}#keep")


@require_POST
@login_required
def collect(request: HttpRequest, key: str) -> HttpResponse:
    """Add a game to a collection of the account's, or to a new one that is named in the form."""
    game, account, now = game_or_404(request, key), signed_in(request), timezone.now()
    chosen, name = text_from(request.POST, "collection"), text_from(request.POST, "name")

    def add() -> None:
        into = own_collection_or_404(request, chosen) if chosen else keeping.make(account, name, public=False, now=now)
        keeping.add(into, game, now=now)

    tried(request, add)
    return SeeOther(f"{game.get_absolute_url()}#keep")
