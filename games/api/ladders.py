"""Ladders in the API: leaderboards, the games behind them, and whole tables."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import ScopedRateThrottle

from engine.rating import ALGORITHM
from engine.registry import RULESETS
from games.api.base import APIView
from games.api.ladder_shapes import PARAMETERS, LadderListShape, LeaderboardShape, RatedGameShape
from games.api.queries import OrderQuery
from games.api.serializers import ErrorShape
from games.api.streams import streamed
from games.ladders import leaderboard
from games.ladders.leaderboard import Leaderboard
from games.ladders.reads.ladders import MARK, LeaderboardRow, ladder_size
from games.ladders.reads.leaderboard_query import ACTIVE_MOST, MOST_ID, PERIOD, LeaderboardQuery, read
from games.ladders.reads.ledger_range import counted_games, game_json
from games.ladders.reads.snapshots import STEP
from games.ladders.snapshots import BeingMadeError
from games.lagging import may_lag
from games.lookup import club_or_site, ruleset_or_404
from games.models import By, SnapshotRow
from games.platform.spreadsheets import CSV, table
from games.records.reads.titles import ruleset_title

_ERRORS = dict.fromkeys((400, 404, 503), ErrorShape)
_LINES = (200, "application/x-ndjson")
_TABLE = (200, "text/csv")
_COLUMNS = (
    "rank", "player", "name", "source", "bot", "rating", "value", "mu", "sigma", "games", "wins", "draws", "losses",
    "first", "second", "third", "fourth", "share", "provisional", "rating_before", "gain",
)  # fmt: skip


class WholeQuery(OrderQuery):
    """A leaderboard."""

    as_of = serializers.DateField(
        required=False, help_text="The leaderboard at the end of a day (UTC), such as `2026-11-01`."
    )
    period = serializers.RegexField(
        f"^{PERIOD}$", required=False, help_text="The gains of a month or a year, such as `2026-11` or `2026`."
    )


class BoardQuery(WholeQuery):
    """A leaderboard, and a part of it."""

    active = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=ACTIVE_MOST,
        help_text="Only players with a game accepted within this number of days.",
    )
    since = serializers.DateField(required=False, help_text="Adds the ranks at the end of that day.")
    around = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_ID, help_text="The rows around a player, by id."
    )
    before = serializers.RegexField(f"^{MARK}$", required=False, help_text="The rows above: a value from `previous`.")
    after = serializers.RegexField(f"^{MARK}$", required=False, help_text="The rows below: a value from `next`.")


class LaddersView(APIView):
    """The ladders."""

    @may_lag
    @extend_schema(responses={200: LadderListShape(many=True)})
    def get(self, request: Request) -> Response:
        """List the ladders, one for each ruleset."""
        rows = [
            {
                "ruleset": ruleset.slug,
                "title": gettext(ruleset.title),
                "players": ladder_size(ruleset.slug),
                "url": reverse("api-leaderboard", [ruleset.slug], request=request),
            }
            for ruleset in RULESETS
        ]
        return Response(LadderListShape(rows, many=True).data)


class LeaderboardView(APIView):
    """A leaderboard."""

    @may_lag
    @extend_schema(parameters=[BoardQuery], responses={200: LeaderboardShape, **_ERRORS})
    def get(self, request: Request, slug: str, club: str = "") -> Response:
        """Return 50 lines of a leaderboard: now, as of a day, or of a period.

        Days and periods are those of acceptance, in UTC, and the leaderboard of a past day never changes. With
        `by=played` they are the days on which games were played, and games that are accepted later change it. If a
        leaderboard first has to be computed from a long ledger, the answer is 503 with `Retry-After`. Requests for
        leaderboards that were not computed before are limited: above the limit you get 429.
        """
        found = leaderboard.leaderboard(
            ruleset_or_404(slug).slug,
            club_or_site(club),
            _read(request),
            now=timezone.now(),
            charge=_charge(self, request),
        )
        if found.waiting:
            raise BeingMadeError
        return Response(_shown(found, request))


class BoardGamesView(APIView):
    """The games behind a leaderboard."""

    @extend_schema(parameters=[WholeQuery], responses={_LINES: RatedGameShape, **_ERRORS})
    def get(self, request: Request, slug: str, club: str = "") -> HttpResponseBase:
        """Return the games that count, one a line in JSON, in the order in which they are rated.

        Players are named as rated: merged players appear as the one who was kept.
        """
        part = leaderboard.ledger_range(
            ruleset_or_404(slug).slug, club_or_site(club), _read(request), now=timezone.now()
        )
        games = counted_games(part) if part else iter(())
        lines = (json.dumps(game_json(game), ensure_ascii=False) + "\n" for game in games)
        return streamed(lines, f"{slug}.ndjson", "application/x-ndjson")


class BoardTableView(APIView):
    """A whole leaderboard."""

    @extend_schema(parameters=[WholeQuery], responses={_TABLE: OpenApiTypes.STR, **_ERRORS})
    def get(self, request: Request, slug: str, club: str = "") -> HttpResponseBase:
        """Return all rows of a leaderboard as CSV (with a byte-order mark).

        Names that look like formulas get an apostrophe.
        """
        asked = _read(request)
        found = leaderboard.every_row(
            ruleset_or_404(slug).slug,
            club_or_site(club),
            asked,
            now=timezone.now(),
            charge=_charge(self, request),
        )
        rows = (_cells(row, of_period=asked.period is not None) for row in found)
        return streamed(table(_COLUMNS, rows), f"{slug}.csv", CSV)


def _read(request: Request) -> LeaderboardQuery:
    return read(request.query_params.dict(), timezone.now().date())


def _charge(view: APIView, request: Request) -> Callable[[], None]:
    """Return a function that counts each computed leaderboard, with those of pages, and refuses too many."""

    def count() -> None:
        view.throttle_scope = "board"  # type: ignore[attr-defined] # the framework's own name
        for throttle in view.get_throttles():
            if isinstance(throttle, ScopedRateThrottle) and not throttle.allow_request(request, view):
                view.throttled(request, throttle.wait() or 0)

    return count


def _shown(found: Leaderboard, request: Request) -> dict[str, Any]:
    asked, part = found.asked, found.part
    body = {
        "ruleset": found.ruleset,
        "title": ruleset_title(found.ruleset),
        "club": found.club.slug if found.club else None,
        **{name: getattr(asked, name) or None for name in ("as_of", "period", "active", "since", "by")},
        "undated": found.by_day.undated if found.by_day and asked.by == By.PLAYED else None,
        "algorithm": ALGORITHM,
        "parameters": PARAMETERS,
        "players": found.players,
        "games": found.games,
        "digest": found.board.digest if found.board else None,
        "corrections": found.acts.newest,
        "corrections_count": found.acts.count,
        "distribution": [
            {"first": first, "last": first + STEP - 1, "players": players}
            for first, players in sorted(found.bars.items())
        ],
        "first": part.first,
        "rows": part.rows,
        "previous": _address(found, request, before=part.previous) if part.previous else None,
        "next": _address(found, request, after=part.next) if part.next else None,
        "games_url": _address(found, request, "-games"),
        "table_url": _address(found, request, "-table"),
    }
    context = {"request": request, "ranks_then": found.ranks_then, "of_period": asked.period is not None}
    return dict(LeaderboardShape(body, context=context).data)


def _address(found: Leaderboard, request: Request, part: str = "", **marks: str) -> str:
    """Return the address of another part of the same leaderboard."""
    asked = found.asked
    names = ("as_of", "period", "by") if part else ("as_of", "period", "active", "since", "by")
    query = {name: str(getattr(asked, name)) for name in names if getattr(asked, name) not in (None, 0, By.ACCEPTED)}
    query |= marks
    of, args = ("club-", [found.club.slug, found.ruleset]) if found.club else ("", [found.ruleset])
    address = reverse(f"api-{of}leaderboard{part}", args, request=request)
    return f"{address}?{urlencode(query)}" if query else address


def _cells(row: LeaderboardRow, *, of_period: bool) -> tuple[object, ...]:
    line, player = row.standing, row.standing.player
    gained = (line.begun, line.gain) if of_period and isinstance(line, SnapshotRow) else ("", "")
    return (
        row.rank, player.pk, player.name, player.source, int(player.is_bot),
        row.rating, line.value, line.mu, line.sigma, line.games, line.wins, line.draws, line.losses,
        line.first, line.second, line.third, line.fourth, f"{row.share:.6f}", int(row.provisional is not None),
        *gained,
    )  # fmt: skip
