"""Players in the API: found by name, with their ratings, and how often one finished ahead of another, by seat."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.utils.urls import replace_query_param

from games.api import serializers as shapes
from games.api.base import APIView
from games.api.queries import GameQuery, NameQuery, OrderQuery, asked
from games.ladders.snapshots import ledger_by_day
from games.lagging import may_lag
from games.lookup import player_or_404
from games.models import By
from games.players.reads import players as reads
from games.players.reads.together import asked_of_both, score_of_both
from games.search.reads.positions import games_of

_ERRORS = {400: shapes.ErrorShape, 404: shapes.ErrorShape}


class PlayersView(APIView):
    """The players."""

    @extend_schema(
        parameters=[OpenApiParameter("name", str, description="Part of a name.")],
        responses={200: shapes.PlayerShape(many=True), **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Find players by a part of their name, at most 50."""
        found = reads.search_players(asked(NameQuery, request)["name"], request.user)
        return Response(shapes.PlayerShape(found, many=True, context={"request": request}).data)


class PlayerView(APIView):
    """A player."""

    @may_lag
    @extend_schema(
        parameters=[OrderQuery], responses={200: shapes.PlayerDetailShape, 503: shapes.ErrorShape, **_ERRORS}
    )
    def get(self, request: Request, pk: str) -> Response:
        """Return a player's standings and ratings, game by game."""
        player, by = player_or_404(request, pk), By(asked(OrderQuery, request)["by"])
        rows = reads.standings_of(player)
        for row in rows if by == By.PLAYED else ():
            ledger_by_day(row.standing.ladder, now=timezone.now())
        player.rows, player.histories = rows, reads.histories_of(player, by)  # type: ignore[attr-defined] # ours
        return Response(shapes.PlayerDetailShape(player, context={"request": request}).data)


class PairQuery(GameQuery):
    """A filter for the games of two players, who are named in the address."""

    player = opponent = verdict = place = before = after = None  # type: ignore[assignment] # not asked for here


class ScoreShape(serializers.Serializer[Any]):
    """How often the player finished ahead of the opponent, level and behind."""

    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    tied = serializers.IntegerField(source="level")
    behind = serializers.IntegerField()


class SeatScoreShape(serializers.Serializer[Any]):
    """The score of the games at which the player sat at one seat."""

    name = serializers.CharField(source="seat", help_text="In turn order from 1, or the seat's letter.")
    score = ScoreShape()


class RulesetScoreShape(serializers.Serializer[Any]):
    """The score in the games of one ruleset."""

    ruleset = serializers.CharField()
    score = ScoreShape()
    by_turn = SeatScoreShape(many=True, help_text="By when the player acts: `1` begins.")
    by_seat = SeatScoreShape(many=True, help_text="By the letter of the player's seat.")


class PairShape(serializers.Serializer[Any]):
    """Two players, and their score as the first of them has it."""

    player = shapes.PlayerShape()
    opponent = shapes.PlayerShape()
    score = ScoreShape()
    rulesets = RulesetScoreShape(many=True, help_text="Those of which they have games.")
    games_url = serializers.CharField(help_text="The address of the list of these games.")


class PairView(APIView):
    """Two players."""

    @extend_schema(
        parameters=[PairQuery],
        responses={200: PairShape, **dict.fromkeys((400, 404, 422), shapes.ErrorShape)},
    )
    def get(self, request: Request, pk: str, other: str) -> Response:
        """Return how often a player finished ahead of another in their verified games, rated or not, by seat."""
        player, opponent = player_or_404(request, pk), player_or_404(request, other)
        if player.rated_id == opponent.rated_id:
            raise Http404
        both = asked_of_both(player, opponent)
        pair = score_of_both(
            player, opponent, games_of({**asked(PairQuery, request), **both}, request.user), request.user
        )
        listed = reverse("api-games", request=request)
        for name, value in {**request.query_params.dict(), **both}.items():
            listed = replace_query_param(listed, name, value)
        whole = {
            "player": player,
            "opponent": opponent,
            "score": pair.score,
            "rulesets": pair.rulesets,
            "games_url": listed,
        }
        return Response(PairShape(whole, context={"request": request}).data)
