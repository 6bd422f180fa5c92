"""A position of a game in other games, for programs."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.queries import HIGHEST_PLY, INDEX_PROGRESS, asked
from games.api.serializers import ErrorShape
from games.lookup import game_or_404
from games.records.reads import replays
from games.search.reads.positions import Continuation, Games, other_games, position_at
from games.search.reads.progress import index_progress
from games.sentences import translated


class EndingShape(serializers.Serializer[Any]):
    """How a group of games ended."""

    result = serializers.CharField(help_text="The places in turn order; `*` of games that did not end.")
    games = serializers.IntegerField()


class ContinuationShape(serializers.Serializer[Any]):
    """An action that was played in a position."""

    token = serializers.CharField(help_text="As it would be written in the game asked about.")
    sentence = serializers.SerializerMethodField(help_text="What it does, in words.")
    games = serializers.IntegerField()
    places = serializers.ListField(child=serializers.FloatField(), help_text="The mean place of each seat.")

    def get_sentence(self, one: Continuation) -> str:
        """Return a sentence that describes the action, in the reader's language."""
        return one.sentence.render(translated)


class HitShape(serializers.Serializer[Any]):
    """A game that reached a position."""

    key = serializers.CharField(source="game.key")
    ply = serializers.IntegerField(help_text="When it reached the position first.")
    result = serializers.CharField(source="game.result")


class ElsewhereShape(serializers.Serializer[Any]):
    """The other games that reached a position."""

    count = serializers.IntegerField()
    more = serializers.BooleanField(help_text="Whether there are older games that do not count, beyond 10,000.")
    endings = EndingShape(many=True, help_text="The most frequent first.")
    places = serializers.ListField(child=serializers.FloatField(), help_text="The mean place of each seat.")
    played = ContinuationShape(
        many=True,
        help_text="What was played, the most frequent first: counted by the positions before and after in all games, "
        "or in the 20 newest where there are no more, or where over 120 actions are legal.",
    )
    played_in = serializers.IntegerField(help_text="In how many games what was played was looked up.")
    newest = HitShape(many=True, help_text="20 at the most; `/api/v1/games?position=…` lists all.")
    waiting = serializers.IntegerField(help_text="Games verified lately that are not searched yet, 1,000 at the most.")
    index_progress = serializers.SerializerMethodField(help_text=INDEX_PROGRESS)

    def get_index_progress(self, _: Games) -> int | None:
        """Return how much of the index is built."""
        return index_progress()


class PlyQuery(serializers.Serializer[Any]):
    """A position of a game."""

    ply = serializers.IntegerField(min_value=0, max_value=HIGHEST_PLY)
    player = serializers.CharField(
        required=False, default="", max_length=64, help_text="Only games of a player, as in `/api/v1/games`."
    )


class GamePositionGamesView(APIView):
    """A position of a game in other games."""

    throttle_scope = "position"

    @extend_schema(
        summary="Other games that reached a position",
        parameters=[PlyQuery],
        responses={200: ElsewhereShape, **dict.fromkeys((400, 404, 422), ErrorShape)},
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the other games that reached a position: how they ended, and what was played next.

        Rotated or mirrored boards count as the same position where the rules allow it; hidden cards make no difference.
        """
        game = game_or_404(request, key)
        replay, query = replays.replay_of(replays.first_log(game, request.user)).replay, asked(PlyQuery, request)
        ply = query["ply"]
        if replay is None or ply > len(replay.actions):
            raise Http404
        found = other_games(position_at(game, replay, ply), request.user, player=query["player"])
        return Response(ElsewhereShape(found).data)
