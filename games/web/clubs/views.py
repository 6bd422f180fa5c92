"""A club's page, and what members and organisers can do there."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.clubs import announcing, identity, listing, organising, running, scheduling
from games.clubs.calendar import calendar_of
from games.clubs.errors import ClubError
from games.clubs.reads.clubs import find_link, runs, season_of
from games.clubs.reads.points import as_json, points_table, table_of
from games.clubs.reads.schedules import schedule_of
from games.lookup import club_or_404, signed_in
from games.models import Attendance, Club, ClubLink, ClubMember, Evening, Season
from games.platform import spreadsheets
from games.platform.errors import RefusedError
from games.platform.roles import is_moderator
from games.web.answers import SeeOther
from games.web.clubs.forms import EveningForm, FoundForm, ScheduleForm, SeasonForm, WebhookForm, first_error
from games.web.clubs.limits import later
from games.web.clubs.pages import club_page
from games.web.filters import filters, only
from games.web.forms import NewClubForm
from games.web.invitations import joining
from games.web.parameters import number_from, text_from


@require_safe
@filters("evenings", "holds")
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: table, next evening, games, members."""
    page = club_page(club_or_404(slug), request.user, request.GET, now=timezone.now())
    forms = {
        "evening_form": EveningForm(label_suffix="", auto_id="evening-%s"),
        "season_form": SeasonForm(label_suffix="", auto_id="season-%s"),
    }
    return render(request, "games/clubs/club.html", {"page": page, **(forms if page.runs else {})})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def found(request: HttpRequest) -> HttpResponse:
    """Found a club; a moderator may name another first organiser."""
    if request.method == "POST" and (wait := later(request)):
        messages.error(request, wait)
        return SeeOther(reverse("club-new"))
    return _named(request) if is_moderator(request.user) else _own(request)


def _named(request: HttpRequest) -> HttpResponse:
    form = NewClubForm(request.POST or None, label_suffix="")
    if request.method == "POST" and form.is_valid():
        try:
            made = organising.found(**form.wanted, by=signed_in(request), now=timezone.now())
            return SeeOther(made.get_absolute_url())
        except ClubError as error:
            form.add_error(error.parameter or "slug", error.sentence)
    return render(request, "games/clubs/new.html", {"form": form}, status=422 if form.errors else 200)


def _own(request: HttpRequest) -> HttpResponse:
    form = FoundForm(request.POST or None, label_suffix="")
    if request.method == "POST" and form.is_valid():
        try:
            made = running.found(**form.cleaned_data, by=signed_in(request), now=timezone.now())
            return SeeOther(made.get_absolute_url())
        except RefusedError as error:
            form.add_error(error.parameter or "slug", error.sentence)
    return render(request, "games/clubs/new.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@login_required
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Do what a member's or organiser's button says; the page then shows the error, if there is one."""
    mine = club_or_404(slug)
    name = text_from(request.POST, "act")
    what = _ACTS.get(name)
    try:
        said = later(request) or (what(request, mine) if what else gettext("Nothing was chosen."))
    except RefusedError as error:
        said = error.sentence
    if said:
        messages.error(request, said)
    return SeeOther(_page_after(request, mine, name))


def _page_after(request: HttpRequest, mine: Club, name: str) -> str:
    """Return the page to show after an action."""
    number = number_from(request.POST, "season")
    if name in _ON_SEASON and number:
        return reverse("club-season", args=[mine.slug, number])
    return f"{reverse('club-edit', args=[mine.slug])}#webhook" if name in _ON_EDIT else mine.get_absolute_url()


def _list(request: HttpRequest, mine: Club) -> str:
    return _decide(request, mine, listing.list_publicly)


def _unlist(request: HttpRequest, mine: Club) -> str:
    return _decide(request, mine, listing.unlist)


def _decide(request: HttpRequest, mine: Club, decide: listing.Decision) -> str:
    texts, reason = text_from(request.POST, "texts"), text_from(request.POST, "reason")
    decide(mine, texts=texts, by=signed_in(request), now=timezone.now(), reason=reason)
    return ""


def _link(request: HttpRequest, mine: Club) -> str:
    named = _member(request, mine) if "member" in request.POST else None
    running.make_link(mine, by=signed_in(request), now=timezone.now(), member=named)
    return ""


def _plan(request: HttpRequest, mine: Club) -> str:
    form = EveningForm(request.POST)
    if form.is_valid():
        running.plan(mine, **form.cleaned_data, by=signed_in(request), now=timezone.now())
    return first_error(form)


def _cancel(request: HttpRequest, mine: Club) -> str:
    running.cancel(_evening(request, mine), by=signed_in(request))
    return ""


def _say(request: HttpRequest, mine: Club) -> str:
    answer, member = text_from(request.POST, "answer"), _member(request, mine)
    if answer not in Attendance.Answer.values:
        return gettext("Nothing was chosen.")
    running.answer(_evening(request, mine), member, Attendance.Answer(answer), by=signed_in(request))
    return ""


def _add(request: HttpRequest, mine: Club) -> str:
    running.add_by_name(mine, text_from(request.POST, "name"), by=signed_in(request), now=timezone.now())
    return ""


def _same(request: HttpRequest, mine: Club) -> str:
    other = get_object_or_404(ClubMember, pk=number_from(request.POST, "other"), club=mine.pk)
    identity.confirm_same(_member(request, mine), other, by=signed_in(request))
    return ""


def _webhook(request: HttpRequest, mine: Club) -> str:
    form = WebhookForm(request.POST)
    if form.is_valid():
        language = get_language() or settings.LANGUAGE_CODE
        by, now = signed_in(request), timezone.now()
        announcing.set_webhook(mine, **form.cleaned_data, language=language, by=by, now=now)
    return first_error(form)


def _remove_webhook(request: HttpRequest, mine: Club) -> str:
    announcing.remove_webhook(mine, by=signed_in(request))
    return ""


def _role(request: HttpRequest, mine: Club) -> str:
    role, member = text_from(request.POST, "role"), _member(request, mine)
    if role not in ClubMember.Role.values:
        return gettext("Nothing was chosen.")
    running.give_role(member, ClubMember.Role(role), by=signed_in(request), now=timezone.now())
    return ""


def _remove(request: HttpRequest, mine: Club) -> str:
    running.remove(_member(request, mine), by=signed_in(request), now=timezone.now())
    return ""


def _draw(request: HttpRequest, mine: Club) -> str:
    form = ScheduleForm(request.POST)
    if form.is_valid():
        by, now = signed_in(request), timezone.now()
        scheduling.draw(_season(request, mine), **form.cleaned_data, by=by, now=now)
    return first_error(form)


def _draw_round(request: HttpRequest, mine: Club) -> str:
    scheduling.draw_round(_season(request, mine), by=signed_in(request), now=timezone.now())
    return ""


def _drop(request: HttpRequest, mine: Club) -> str:
    scheduling.drop(_season(request, mine), by=signed_in(request))
    return ""


def _begin(request: HttpRequest, mine: Club) -> str:
    form = SeasonForm(request.POST)
    if form.is_valid():
        running.begin_season(mine, **form.cleaned_data, by=signed_in(request))
    return first_error(form)


def _close(request: HttpRequest, mine: Club) -> str:
    running.close_season(_season(request, mine), by=signed_in(request), now=timezone.now())
    return ""


_ACTS: dict[str, Callable[[HttpRequest, Club], str]] = {
    "list": _list,
    "unlist": _unlist,
    "link": _link,
    "plan": _plan,
    "cancel": _cancel,
    "say": _say,
    "add": _add,
    "webhook": _webhook,
    "remove-webhook": _remove_webhook,
    "same": _same,
    "role": _role,
    "remove": _remove,
    "begin-season": _begin,
    "close-season": _close,
    "draw-schedule": _draw,
    "draw-round": _draw_round,
    "drop-schedule": _drop,
}
_ON_SEASON = frozenset({"draw-schedule", "draw-round", "drop-schedule"})
"""What is done on the page of a season."""
_ON_EDIT = frozenset({"webhook", "remove-webhook"})
"""What is done on the page where a club is managed."""


def _season(request: HttpRequest, mine: Club) -> Season:
    return get_object_or_404(Season, pk=number_from(request.POST, "season"), club=mine.pk)


def _evening(request: HttpRequest, mine: Club) -> Evening:
    return get_object_or_404(Evening, pk=number_from(request.POST, "evening"), club=mine.pk)


def _member(request: HttpRequest, mine: Club) -> ClubMember:
    return get_object_or_404(ClubMember, pk=number_from(request.POST, "member"), club=mine.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show which club a link is for, and join it; who has to sign in first joins right after that."""
    try:
        link = find_link(token)
    except ClubLink.DoesNotExist:
        raise Http404 from None
    now = timezone.now()
    if request.method != "POST":
        ended = link.revoked_at is not None or link.expires_at <= now
        values = {"club": link.club, "by": link.by, "named": link.member, "ended": ended}
        return render(request, "games/clubs/join.html", values)
    if wait := later(request):
        messages.error(request, wait)
        return SeeOther(request.path)
    if request.user.is_authenticated:
        return SeeOther(joining.join(request, link, signed_in(request), now=now))
    joining.keep(request, token, now=now)
    messages.info(
        request, gettext("Sign in or create an account, and you are a member of {club}.").format(club=link.club.name)
    )
    way = "account_signup" if request.POST.get("way") == "register" else "account_login"
    return SeeOther(f"{reverse(way)}?{urlencode({'next': request.path})}")


@require_safe
@only()
def calendar(request: HttpRequest, slug: str, pk: int) -> HttpResponse:  # noqa: ARG001 (a view)
    """Return an evening as a calendar file."""
    evening = get_object_or_404(Evening.objects.select_related("club"), pk=pk, club=club_or_404(slug).pk)
    url = f"{settings.SITE_URL}{evening.club.get_absolute_url()}"
    text = calendar_of(evening, url=url, site=urlsplit(settings.SITE_URL).netloc, now=timezone.now())
    answer = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-{evening.day}.ics"'
    return answer


@require_safe
@only("season")
def table(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """Return the table of points as CSV or JSON: of the current season, or of one by its number.

    Programs read it: of a parameter that is not known, they would get another season.
    """
    mine = club_or_404(slug)
    plain = _table(request, mine)
    if form == "json":
        return JsonResponse({"club": mine.slug, "name": mine.name, **plain})
    disposition = {"Content-Disposition": f'attachment; filename="{slug}.csv"'}
    return HttpResponse("".join(_csv(plain)), content_type=spreadsheets.CSV, headers=disposition)


def _table(request: HttpRequest, mine: Club) -> dict[str, object]:
    if request.GET.get("season"):
        number = number_from(request.GET, "season")
        season = get_object_or_404(Season, pk=number, club=mine.pk)
        return {"season": season.name, **table_of(mine, season)}
    season_now = season_of(mine, today=mine.day(timezone.now()))
    return {"season": season_now.name if season_now else None, **as_json(points_table(mine, season_now))}


def _csv(plain: dict[str, object]) -> Iterator[str]:
    rows = plain["rows"]
    assert isinstance(rows, list)  # noqa: S101 - for the types
    columns = ("place", "name", "points", "games", "first", "second", "third", "fourth")
    return spreadsheets.table(
        columns, ([row["place"], row["name"], row["points"], row["games"], *row["places"]] for row in rows)
    )


@require_safe
@filters()
def season(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the final table of a season, also for printing."""
    mine = club_or_404(slug)
    found = get_object_or_404(Season.objects.select_related("club"), pk=pk, club=mine.pk)
    may_draw = found.closed_at is None and runs(mine, request.user)
    values = {
        "club": mine,
        "season": found,
        "table": table_of(mine, found),
        "schedule": schedule_of(found),
        "may_draw": may_draw,
        "form": ScheduleForm(label_suffix="") if may_draw else None,
    }
    return render(request, "games/clubs/season.html", values)
