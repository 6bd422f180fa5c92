"""A player's career on one ladder, for programs: results, every rating with its terms, and what corrections changed."""

from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from engine.explained import Explained
from engine.rating import shown
from games.api import serializers as shapes
from games.api.base import APIView
from games.api.queries import OrderQuery, asked
from games.api.streams import streamed
from games.ladders.reads import careers
from games.ladders.reads.ladders import find_ladder_of
from games.ladders.reads.rank_history import rank_history
from games.ladders.snapshots import ledger_by_day
from games.lagging import may_lag
from games.lookup import player_or_404
from games.models import By, DayRating, Ladder, Player, RatingEvent
from games.platform.spreadsheets import CSV, table
from games.players.reads import players

_ERRORS = {400: shapes.ErrorShape, 404: shapes.ErrorShape}
_TABLE = (200, "text/csv")
_COLUMNS = (
    "number", "nth", "accepted_at", "game", "place", "players", "rating", "rating_before", "value", "value_before",
    "counts", "day",
)  # fmt: skip


class WhoseQuery(OrderQuery):
    """A ladder, and by which order."""

    club = serializers.SlugField(
        required=False, default="", max_length=40, help_text="The address of a club; empty for the whole site."
    )


class CareerQuery(WhoseQuery):
    """A ladder, and where the entries begin."""

    before = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=10**17,
        help_text="Only entries of games with a smaller number in the sequence, or position by day played.",
    )


class BalanceShape(serializers.Serializer[Any]):
    """Results at one seat, or at tables of one size."""

    name = serializers.CharField(source="label", help_text="The seat's letter, or the number of players.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    share = serializers.FloatField(help_text="The mean share of rivals beaten, from 0 to 1.")


class RivalShape(serializers.Serializer[Any]):
    """An opponent, and how often each came before the other."""

    player = shapes.PlayerShape()
    games = serializers.IntegerField()
    ahead = serializers.IntegerField(source="before")
    tied = serializers.IntegerField(source="level")
    behind = serializers.IntegerField()


class RunsShape(serializers.Serializer[Any]):
    """Streaks of games."""

    winning = serializers.IntegerField(help_text="Current winning streak, in games.")
    longest = serializers.IntegerField(help_text="Longest winning streak, in games.")
    unbeaten = serializers.IntegerField(help_text="Longest streak without a loss, in games.")


class SheetShape(serializers.Serializer[Any]):
    """The score sheets of all games, added up."""

    name = serializers.CharField(source="label")
    total = serializers.IntegerField()
    mean = serializers.FloatField()


class BestRankShape(serializers.Serializer[Any]):
    """The player's best rank right after a game."""

    rank = serializers.IntegerField()
    number = serializers.IntegerField(help_text="That game's number in the sequence.")
    at = serializers.DateTimeField()


class RankThenShape(serializers.Serializer[Any]):
    """A rank at the end of a month, as the leaderboard stood then."""

    day = serializers.DateField(help_text="The last day of the month, in UTC; by day played, of the year.")
    rank = serializers.IntegerField()
    players = serializers.IntegerField(help_text="Number of players on the leaderboard.")


class EntryShape(shapes.RatingEventShape):
    """The effect of one game on a rating, with later corrections applied."""

    counts = serializers.BooleanField()
    day = serializers.DateField(
        default=None, allow_null=True, help_text="By day played: the day by which the game is rated; else null."
    )
    why = serializers.SerializerMethodField()

    def get_why(self, event: careers.AnyEvent) -> str:
        """Return the address of the full explanation."""
        order = "?by=played" if isinstance(event, DayRating) else ""
        address = reverse("api-rating-cause", [event.player_id, event.number], request=self.context["request"])
        return f"{address}{order}"


class CareerShape(serializers.Serializer[Any]):
    """A player on one ladder."""

    ruleset = serializers.CharField()
    club = serializers.CharField(allow_null=True)
    by = serializers.ChoiceField(By.choices)
    undated = serializers.IntegerField(
        allow_null=True,
        help_text="By day played: rated games that are left out, as their dates are not known; else null.",
    )
    standing = shapes.StandingShape(allow_null=True)
    best_rank = BestRankShape(allow_null=True)
    ranks = RankThenShape(
        many=True,
        help_text="Of the last 24 months, or by day played 20 years, oldest first, as far as they are computed.",
    )
    runs = RunsShape()
    by_seat = BalanceShape(many=True)
    by_table = BalanceShape(many=True)
    rivals = RivalShape(many=True)
    sheets = SheetShape(many=True)
    events = EntryShape(many=True)
    next = serializers.CharField(allow_null=True)


class TermShape(serializers.Serializer[Any]):
    """One term of the calculation: the choice of a place among the players still without one."""

    seat = serializers.IntegerField(help_text="The seat that won the choice, in turn order from 0.")
    chance = serializers.FloatField(help_text="This player's chance of winning the choice.")
    share = serializers.FloatField(help_text="The weight of the choice: players who share a place share it.")
    own = serializers.BooleanField()
    surprise = serializers.FloatField()


class ChangeShape(serializers.Serializer[Any]):
    """A rating before and after."""

    mu_before = serializers.FloatField()
    sigma_before = serializers.FloatField()
    mu = serializers.FloatField()
    sigma = serializers.FloatField()


class SeatCauseShape(ChangeShape):
    """One seat: its values before, the full calculation, and its values after."""

    seat = serializers.IntegerField()
    player = shapes.PlayerShape()
    place = serializers.IntegerField()
    widened = serializers.FloatField(allow_null=True, help_text="Sigma after tau was added.")
    spread = serializers.FloatField(
        allow_null=True, help_text="The spread of all players together (c in the formulas)."
    )
    terms = TermShape(many=True)


class LedgerEntryShape(ChangeShape):
    """One ledger entry for a game and a seat."""

    entry = serializers.IntegerField()
    at = serializers.DateTimeField()
    counts = serializers.BooleanField()
    correction = serializers.CharField(
        allow_null=True, help_text="The kind of correction that made the entry; null for the first entry."
    )
    reason = serializers.CharField(allow_blank=True)


class CauseShape(serializers.Serializer[Any]):
    """Why a game changed a rating."""

    number = serializers.IntegerField()
    game = serializers.CharField()
    algorithm = serializers.CharField()
    rating_before = serializers.IntegerField()
    rating = serializers.IntegerField()
    counts = serializers.BooleanField()
    seats = SeatCauseShape(many=True)
    entries = LedgerEntryShape(many=True)


class CareerView(APIView):
    """A player on one ladder."""

    @may_lag
    @extend_schema(parameters=[CareerQuery], responses={200: CareerShape, 503: shapes.ErrorShape, **_ERRORS})
    def get(self, request: Request, pk: str, slug: str) -> Response:
        """Return results by seat and table, rivals, streaks, sheets, and rated games, newest first, 50 at a time."""
        ladder, wanted = _ladder(CareerQuery, request, slug)
        whole = _career(request, player_or_404(request, pk), ladder, wanted)
        return Response(CareerShape(whole, context={"request": request}).data)


def _ladder(query: type[WhoseQuery], request: Request, slug: str) -> tuple[Ladder, dict[str, Any]]:
    """Return the ladder and the other parameters of a request. :raises Http404: when no game counts for the ladder."""
    wanted = asked(query, request)
    ladder = find_ladder_of(slug, wanted["club"])
    if ladder is None:
        raise Http404
    return ladder, wanted


def _career(request: Request, player: Player, ladder: Ladder, wanted: dict[str, Any]) -> dict[str, Any]:
    by, now = By(wanted["by"]), timezone.now()
    ledger = ledger_by_day(ladder, now=now) if by == By.PLAYED else None
    stretch = careers.entries(player, ladder, by, before=str(wanted.get("before", "")))
    address = reverse("api-career", [player.pk, ladder.ruleset], request=request)
    club = ladder.club.slug if ladder.club else None
    said = {"before": stretch.older, "club": club, "by": by.value if by == By.PLAYED else None}
    return {
        "ruleset": ladder.ruleset,
        "club": club,
        "by": by,
        "undated": ledger.undated if ledger else None,
        "standing": players.leaderboard_row_of(player, ladder),
        "best_rank": careers.best_rank(player, ladder),
        "ranks": rank_history(player, ladder, by, now=now),
        "runs": careers.runs(player, ladder, by),
        "by_seat": careers.by_seat(player, ladder),
        "by_table": careers.by_table(player, ladder),
        "rivals": careers.rivals(player, ladder),
        "sheets": careers.sheets(player, ladder),
        "events": stretch.events,
        "next": f"{address}?{urlencode({name: one for name, one in said.items() if one})}" if stretch.older else None,
    }


class CareerTableView(APIView):
    """A rating over time."""

    @extend_schema(
        parameters=[WhoseQuery],
        responses={_TABLE: OpenApiTypes.STR, 503: shapes.ErrorShape, **_ERRORS},
    )
    def get(self, request: Request, pk: str, slug: str) -> HttpResponseBase:
        """Return a rating after every game as CSV (with a byte-order mark), including annulled games.

        By day played, annulled games are left out, and `day` is the day by which a game is rated.
        """
        player, (ladder, wanted) = player_or_404(request, pk), _ladder(WhoseQuery, request, slug)
        by = By(wanted["by"])
        if by == By.PLAYED:
            ledger_by_day(ladder, now=timezone.now())
        rows = map(_cells, careers.course(player, ladder, by))
        return streamed(table(_COLUMNS, rows), f"ratings-{pk}-{slug}.csv", CSV)


def _cells(point: careers.Point) -> tuple[object, ...]:
    return (
        point.number, point.nth, point.at.isoformat(), point.key, point.place, point.players,
        shown(point.value), shown(point.before), repr(point.value), repr(point.before), int(point.counts),
        point.day.isoformat() if point.day else "",
    )  # fmt: skip


class CauseView(APIView):
    """Why a rating changed."""

    @may_lag
    @extend_schema(parameters=[OrderQuery], responses={200: CauseShape, **_ERRORS})
    def get(self, request: Request, pk: str, number: str) -> Response:
        """Explain why a game, given by its number, changed a player's rating: inputs, terms, before and after."""
        found = careers.cause(player_or_404(request, pk), int(number), By(asked(OrderQuery, request)["by"]))
        if found is None:
            raise Http404
        event = found.event
        explained = found.explained or (None,) * len(found.seats)
        whole = {
            "number": event.number,
            "game": event.game.key,
            "algorithm": event.algorithm,
            "rating_before": shown(event.value_before),
            "rating": shown(event.value),
            "counts": event.counts,
            "seats": [_seat(seat, part) for seat, part in zip(found.seats, explained, strict=True)],
            "entries": [_entry(entry) for entry in found.entries],
        }
        return Response(CauseShape(whole, context={"request": request}).data)


def _change(event: careers.AnyEvent) -> dict[str, float]:
    return {
        "mu_before": event.mu_before,
        "sigma_before": event.sigma_before,
        "mu": event.mu,
        "sigma": event.sigma,
    }


def _seat(event: careers.AnyEvent, part: Explained | None) -> dict[str, Any]:
    return {
        "seat": event.seat,
        "player": event.player,
        "place": event.place,
        "widened": part.widened if part else None,
        "spread": part.spread if part else None,
        "terms": [{**asdict(term), "surprise": term.surprise} for term in part.terms] if part else [],
        **_change(event),
    }


def _entry(event: RatingEvent) -> dict[str, Any]:
    correction = event.correction
    return {
        "entry": event.pk,
        "at": event.at,
        "counts": event.counts,
        "correction": correction.kind if correction else None,
        "reason": correction.reason if correction else "",
        **_change(event),
    }
