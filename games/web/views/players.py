"""The pages of a player."""

import csv
from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from engine.rating import shown
from games.models import Ladder, Player
from games.selectors import careers
from games.selectors.ladders import find_ladder_of
from games.selectors.paging import CursorError
from games.selectors.players import find_player
from games.web.answers import SeeOther
from games.web.asking import text_asked
from games.web.pages.career import career_page
from games.web.pages.cause import cause_page
from games.web.pages.claims import claim_panel
from games.web.pages.player import player_page

_COLUMNS = (
    "number", "nth", "accepted_at", "game", "place", "players", "rating", "rating_before", "value", "value_before",
    "counts",
)  # fmt: skip


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """A name, its results and its games."""
    found = _player(request, pk)
    values = {"page": player_page(found, request.user), "panel": claim_panel(found, request.user)}
    return render(request, "games/player.html", values)


@require_safe
def career(request: HttpRequest, pk: int, slug: str) -> HttpResponse:
    """What a player has done on one ladder."""
    found = _player(request, pk)
    ladder = _ladder(request, slug)
    by_date, before = request.GET.get("by") == "date", request.GET.get("before", "")
    try:
        page = career_page(found, ladder, by_date=by_date, before=before)
    except CursorError:
        return SeeOther(reverse("career", args=[pk, slug]))
    return render(request, "games/career.html", {"page": page})


@require_safe
def ratings(request: HttpRequest, pk: int, slug: str) -> StreamingHttpResponse:
    """The course of a rating as a table for programs."""
    found, ladder = _player(request, pk), _ladder(request, slug)
    answer = StreamingHttpResponse(_lines(found, ladder), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="ratings-{pk}-{slug}.csv"'
    return answer


@require_safe
def cause(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Why a game changed a player's rating."""
    found = careers.cause(_player(request, pk), number)
    if found is None:
        raise Http404
    return render(request, "games/cause.html", {"page": cause_page(found)})


def _player(request: HttpRequest, pk: int) -> Player:
    try:
        return find_player(pk, request.user)
    except Player.DoesNotExist:
        raise Http404 from None


def _ladder(request: HttpRequest, slug: str) -> Ladder:
    ladder = find_ladder_of(slug, text_asked(request.GET, "league"))
    if ladder is None:
        raise Http404
    return ladder


class _Line:
    """What `csv` writes to: it gives each line back."""

    def write(self, line: str) -> str:
        """Give back what is to be written."""
        return line


def _lines(player: Player, ladder: Ladder) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(_COLUMNS)
    for point in careers.course(player, ladder):
        yield writer.writerow((
            point.number, point.nth, point.at.isoformat(), point.key, point.place, point.players,
            shown(point.value), shown(point.before), repr(point.value), repr(point.before),
            int(point.counts),
        ))  # fmt: skip
