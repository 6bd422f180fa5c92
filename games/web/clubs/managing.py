"""The list of clubs, and the page on which organisers edit one."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.clubs import organising as service
from games.clubs.errors import ClubError
from games.clubs.reads.clubs import may_run, removable_organisers, runs
from games.lookup import club_or_404, signed_in
from games.models import Club
from games.web.answers import SeeOther
from games.web.clubs.facts import club_facts, club_rows, mine_of, to_review, webhook_shown
from games.web.clubs.forms import WebhookForm
from games.web.clubs.limits import later
from games.web.filters import filters
from games.web.forms import ClubForm, OrganiserForm


@require_safe
@filters("clubs", "review")
def clubs(request: HttpRequest) -> HttpResponse:
    """Show all clubs."""
    values = {
        "clubs": club_rows(request.GET),
        "mine": mine_of(request.user),
        "review": to_review(request.user, request.GET),
    }
    return render(request, "games/clubs/clubs.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a club's name and description, as an organiser."""
    mine = _own(request, slug)
    form = ClubForm(request.POST or None, initial=_initial(mine), label_suffix="")
    if request.method == "POST" and (wait := later(request)):
        form.add_error("name", wait)
    elif request.method == "POST" and form.is_valid():
        try:
            service.describe(mine, service.Description(**form.cleaned_data), by=signed_in(request), now=timezone.now())
            return SeeOther(mine.get_absolute_url())
        except ClubError as error:
            form.add_error(error.parameter or "name", error.sentence)
    return _edited(request, mine, form, OrganiserForm(label_suffix=""))


@require_POST
@login_required
def name_organiser(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an account an organiser, as another organiser."""
    return _organisers(request, slug, service.name_organiser)


@require_POST
@login_required
def dismiss_organiser(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove an organiser, or resign as one."""
    return _organisers(request, slug, service.dismiss_organiser)


def _organisers(request: HttpRequest, slug: str, act: service.OnOrganiser) -> HttpResponse:
    mine = _own(request, slug)
    form = OrganiserForm(request.POST, label_suffix="")
    if wait := later(request):
        form.add_error("organiser", wait)
    elif form.is_valid():
        try:
            act(mine, form.cleaned_data["organiser"], by=signed_in(request), now=timezone.now())
            return SeeOther(_after(request, mine))
        except ClubError as error:
            form.add_error("organiser", error.sentence)
    known = ClubForm(initial=_initial(mine), label_suffix="")
    return _edited(request, mine, known, form)


def _initial(mine: Club) -> dict[str, str]:
    return {name: getattr(mine, name) for name in ("name", "about", "meets", "main_ruleset", "time_zone")}


def _edited(request: HttpRequest, mine: Club, form: ClubForm, organiser: OrganiserForm) -> HttpResponse:
    values: dict[str, object]
    page, removable = club_facts(mine, request.user, request.GET), removable_organisers(mine, request.user)
    values = {"page": page, "removable": removable, "form": form, "organiser_form": organiser}
    if runs(mine, request.user):
        webhook = webhook_shown(mine)
        initial = {"url": webhook.url, "form": webhook.form} if webhook else None
        values |= {"webhook": webhook, "webhook_form": WebhookForm(initial=initial, label_suffix="")}
    wrong = form.errors or organiser.errors
    return render(request, "games/clubs/edit.html", values, status=422 if wrong else 200)


def _own(request: HttpRequest, slug: str) -> Club:
    """Return a club that the reader may change. :raises PermissionDenied: when they may not."""
    mine = club_or_404(slug)
    if not may_run(request.user, mine):
        raise PermissionDenied
    return mine


def _after(request: HttpRequest, mine: Club) -> str:
    """Return to the form, or to the club's page if the sender may no longer see the form."""
    return reverse("club-edit", args=[mine.slug]) if may_run(request.user, mine) else mine.get_absolute_url()
