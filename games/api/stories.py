"""The story of a game, a closer look at its positions, and what if other actions had been played."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle

from engine.exploring import PlayedOnError, answer_branch
from engine.scene import union
from engine.story import story_json
from engine.touching import Reader
from engine.words import params_json
from games.api.base import APIView
from games.api.errors import shape
from games.api.queries import HIGHEST_PLY, MOST_TOUCHED, TOUCHED, WHOLE, asked
from games.api.serializers import ErrorShape, Labelled
from games.lookup import game_or_404
from games.models import MoveLog
from games.records.reads import replays
from games.sentences import translated

MOST_PLAYED = 200
"""Actions of a branch."""
_ERRORS = {400: ErrorShape, 404: ErrorShape}


class EventShape(serializers.Serializer[Any]):
    """An important event of a game."""

    ply = serializers.IntegerField(help_text="The position that it led to.")
    number = serializers.IntegerField(help_text="The number of its round, or pair of turns.")
    kind = serializers.CharField()
    seat = serializers.CharField(help_text="The letter of the seat that it concerns.")
    count = serializers.IntegerField(help_text="How many things it is about: ants eaten, the points of a tile.")
    sentence = serializers.CharField()


class KindShape(Labelled):
    """A kind of event, the most important first."""

    key = serializers.CharField()
    shape = serializers.CharField(help_text="The mark by which it is shown.")


class StoryShape(serializers.Serializer[Any]):
    """The story of a game. What changes over time is a list of pairs: from which ply on, and what."""

    ruleset = serializers.CharField()
    last = serializers.IntegerField(help_text="The last ply.")
    seats = serializers.ListField(child=serializers.CharField())
    summary = serializers.CharField(help_text="The game in a few sentences.")
    rounds = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    turn_ends = serializers.ListField(child=serializers.IntegerField(), help_text="Plies that end a turn.")
    quiet = serializers.ListField(
        child=serializers.IntegerField(), help_text="Plies that change nothing on the board: they belong to the last."
    )
    kinds = KindShape(many=True)
    events = EventShape(many=True)
    chart = serializers.CharField(help_text="Which count is drawn over time.")
    counts = serializers.DictField(child=serializers.CharField(), help_text="What is counted, by its key.")
    figures = serializers.DictField(
        child=serializers.DictField(), help_text="By seat and count, pairs of a ply and the number from there on."
    )
    leads = serializers.ListField(
        child=serializers.ListField(), help_text="Pairs of a ply and who is ahead from there on, none if nobody is."
    )
    winners = serializers.ListField(child=serializers.CharField())


class GameStoryView(APIView):
    """Reading the story of a game."""

    @extend_schema(summary="The story of a game", responses={200: StoryShape, **_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return the important events, the count of every seat at every ply, who led, and a summary."""
        game = game_or_404(request, key)
        read = replays.read_game(game, request.user)
        if read.story is None:
            raise Http404
        return Response(story_json(read.story, replays.names_of(game, read.log), translated))


class BranchQuery(serializers.Serializer[Any]):
    """A position of a game, or one after other actions than those played."""

    ply = serializers.IntegerField(min_value=0, max_value=HIGHEST_PLY, help_text="The position of the game.")
    play = serializers.ListField(
        child=serializers.CharField(max_length=64),
        default=list,
        max_length=MOST_PLAYED,
        help_text="Actions played from there, in place of those of the game.",
    )
    drawn = serializers.CharField(
        default=None, allow_null=True, max_length=10, help_text="The next card, in any rotation."
    )
    whole = serializers.BooleanField(default=True, help_text=WHOLE)
    touched = serializers.ListField(
        child=serializers.CharField(max_length=64), default=list, max_length=MOST_TOUCHED, help_text=TOUCHED
    )
    drawings = serializers.ChoiceField(
        choices=("all", "new"), default="all", help_text="`new` leaves out the drawings of the game's own pictures."
    )


class InsightShape(Labelled):
    """Something to look at in a position."""

    key = serializers.CharField()
    facts = serializers.ListField(child=serializers.CharField())
    pieces = serializers.ListField(child=serializers.CharField(), help_text="The ids of the pieces that it is about.")
    arrows = serializers.ListField(child=serializers.ListField(), help_text="Ways on the board: points in scene units.")


class PlayedShape(serializers.Serializer[Any]):
    """An action of a branch."""

    token = serializers.CharField()
    seat = serializers.CharField()
    number = serializers.IntegerField(help_text="The number of its round, or pair of turns.")
    sentence = serializers.CharField()


class BranchShape(serializers.Serializer[Any]):
    """A position, its legal actions, and what to notice in it."""

    position = serializers.DictField(help_text="As engine/touching/position.schema.json describes it.")
    insights = InsightShape(many=True)
    played = PlayedShape(many=True, help_text="The actions of the branch.")
    text = serializers.CharField(help_text="The record up to here, as the score sheet opens it.")


class GamePositionView(APIView):
    """A closer look at a position of a game, and other ways to continue."""

    throttle_scope = "position"

    def get_throttles(self) -> list[BaseThrottle]:
        """Return a separate limit for what a game's page requests: many requests, each with few drawings."""
        throttles = super().get_throttles()
        if self.request.query_params.get("drawings") != "new":
            return throttles
        return [throttle for throttle in throttles if isinstance(throttle, ScopedRateThrottle)]

    @extend_schema(
        summary="A position of a game in detail",
        parameters=[BranchQuery],
        responses={200: BranchShape, **_ERRORS},
    )
    def get(self, request: Request, key: str) -> Response:
        """Return a position, or one after other actions than those played, with its legal actions and insights."""
        log = replays.first_log(game_or_404(request, key), request.user)
        query = asked(BranchQuery, request)
        replay = replays.replay_of(log).replay
        if replay is None or query["ply"] > len(replay.actions):
            raise Http404
        known = _known(log) if query["drawings"] == "new" else ()
        reader = Reader(known=known, whole=query["whole"], touched=query["touched"], translate=translated)
        try:
            return Response(answer_branch(replay, query["ply"], query["play"], reader, query["drawn"]))
        except PlayedOnError as error:
            return _refused(query["ply"], error)


def _known(log: MoveLog) -> frozenset[str]:
    """Return the drawings that a game's page already has."""
    return frozenset(union(replays.film_of(log)).symbols)


def _refused(ply: int, refused: PlayedOnError) -> Response:
    error = refused.error
    place = {"ply": ply + refused.at, "rule": error.rule, "token": refused.token}
    return Response(shape("illegal", error.template, params_json(error.params), place=place), status=400)
