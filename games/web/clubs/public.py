"""What a club publishes besides its page: its evenings, a feed of its games, and a poster."""

from datetime import date

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from engine.scene import xml_text
from games.clubs.reads.accepted import newest_games
from games.clubs.reads.clubs import next_evening, season_of
from games.clubs.reads.points import evenings_beside, games_of_day, in_points, points_table, rows_of_day
from games.lookup import club_or_404
from games.records.reads.games import with_seats
from games.web.filters import filters, only
from games.web.invitations.qr import qr_code
from games.web.lists import part_of
from games.web.persons import person
from games.web.rows import GameRow, row_of, rows_of

_ITEMS = 30
"""Games in the feed."""
_LINES = 20
"""Of the table on the wall."""


@require_safe
@filters("games")
def evening(request: HttpRequest, slug: str, day: str) -> HttpResponse:
    """Show an evening that a club has played: its points and its games."""
    club, on = club_or_404(slug), _day(day)
    rows = rows_of_day(club, on)
    if not rows:
        raise Http404
    earlier, later = evenings_beside(club, on)
    games = with_seats(games_of_day(club, on))
    values = {
        "club": club,
        "day": on,
        "earlier": earlier,
        "later": later,
        "rows": [
            {
                "place": row.place, "name": row.name, "picture": person(row.player, row.name, "small"),
                "player": row.player, "points": in_points(row.halves), "games": row.games,
            }
            for row in rows
        ],
        "games": part_of("games", games, row_of, request.GET),
    }  # fmt: skip
    return render(request, "games/clubs/evening.html", values)


def _day(written: str) -> date:
    """Return a day as an address has it. :raises Http404: when it is none."""
    try:
        day = date.fromisoformat(written)
    except ValueError:
        raise Http404 from None
    if day.isoformat() != written:
        raise Http404
    return day


@require_safe
@only()
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the newest games that a club accepted, with their results, as an Atom feed (RFC 4287)."""
    club = club_or_404(slug)
    name = xml_text(club.name)
    made = Atom1Feed(
        title=name,
        link=_address(club.get_absolute_url()),
        description=xml_text(club.meets),
        language=get_language(),
        author_name=name,
        feed_url=_address(request.path),
    )
    games = newest_games(club, _ITEMS)
    for game, row in zip(games, rows_of(games), strict=True):
        address = _address(row.url)
        made.add_item(
            title=f"{_result(row)} · {row.ruleset}", link=address, description="", unique_id=address,
            pubdate=game.received_at, updateddate=game.received_at,
        )  # fmt: skip
    return HttpResponse(made.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def _result(row: GameRow) -> str:
    """Return who took which place: `1. Ada, 2. Bea`."""
    seats = sorted(row.seats, key=lambda seat: seat.place or len(row.seats))
    return xml_text(", ".join(f"{seat.place}. {seat.name}" if seat.place else seat.name for seat in seats))


@require_safe
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a poster to print: when the club meets, its table, and its address as a QR code."""
    club = club_or_404(slug)
    today = club.day(timezone.now())
    season, address = season_of(club, today=today), _address(club.get_absolute_url())
    rows = points_table(club, season).rows[:_LINES]
    values = {
        "club": club,
        "season": season,
        "evening": next_evening(club, today=today),
        "address": address,
        "code": qr_code(address),
        "table": [{"place": row.place, "name": row.name, "points": in_points(row.halves)} for row in rows],
    }
    return render(request, "games/clubs/poster.html", values)


def _address(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
