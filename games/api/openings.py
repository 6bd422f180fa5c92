"""The explorer of openings, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.queries import INDEX_PROGRESS, asked
from games.api.serializers import ErrorShape
from games.lookup import ruleset_or_404
from games.search.reads.openings import MOST_WRITTEN, Explored, Step, explore, find_opening
from games.search.reads.progress import index_progress
from games.sentences import translated


class OpeningStepShape(serializers.Serializer[Any]):
    """A step of an opening."""

    name = serializers.CharField()
    sentence = serializers.SerializerMethodField(help_text="What it is, in words.")
    opening = serializers.CharField(help_text="The opening up to it: the names of its steps, with commas.")

    def get_sentence(self, step: Step) -> str:
        """Return a sentence that describes the step, in the reader's language."""
        return step.sentence.render(translated)


class OpeningExampleShape(serializers.Serializer[Any]):
    """A game that began with an opening."""

    key = serializers.CharField()
    ply = serializers.IntegerField(help_text="After how many actions the opening is complete.")


class OpeningFiguresShape(serializers.Serializer[Any]):
    """How games ended."""

    finished = serializers.IntegerField(help_text="How many of them ended.")
    wins = serializers.ListField(
        child=serializers.IntegerField(), help_text="How many games each seat won alone, in turn order."
    )
    places = serializers.ListField(
        child=serializers.FloatField(),
        help_text="The mean place of each seat in turn order, of the games that ended; empty where none did, or where "
        "not equally many sat at all of them.",
    )


class OpeningContinuationShape(OpeningFiguresShape):
    """What came next in some games."""

    step = OpeningStepShape()
    games = serializers.IntegerField()
    example = OpeningExampleShape(allow_null=True, help_text="The newest of them.")


class OpeningShape(OpeningFiguresShape):
    """The games that began with an opening."""

    steps = OpeningStepShape(many=True, source="opening.steps")
    count = serializers.IntegerField()
    more = serializers.BooleanField(help_text="Whether there are older games that do not count, beyond 10,000.")
    continuations = OpeningContinuationShape(many=True, help_text="The most frequent first, 30 at the most.")
    others = serializers.IntegerField(help_text="Games with continuations that are not listed.")
    ended = serializers.IntegerField(help_text="Games whose opening has no further step.")
    waiting = serializers.IntegerField(help_text="Games verified lately that are not searched yet, 1,000 at the most.")
    index_progress = serializers.SerializerMethodField(help_text=INDEX_PROGRESS)

    def get_index_progress(self, _: Explored) -> int | None:
        """Return how much of the index is built."""
        return index_progress()


class OpeningQuery(serializers.Serializer[Any]):
    """An opening, and whose games."""

    opening = serializers.CharField(
        required=False,
        default="",
        max_length=MOST_WRITTEN,
        help_text="The names of steps, with commas, as in `continuations`; without it, the first steps are counted.",
    )
    player = serializers.CharField(
        required=False, default="", max_length=64, help_text="Only games of a player, as in `/api/v1/games`."
    )


class OpeningView(APIView):
    """The openings of a ruleset."""

    throttle_scope = "position"

    @extend_schema(
        summary="How games that began with an opening went on",
        parameters=[OpeningQuery],
        responses={200: OpeningShape, **dict.fromkeys((400, 404, 422), ErrorShape)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return how the games that began with an opening went on and ended.

        Only games that you may see count. `/api/v1/games?opening=SLUG:…` lists them.
        """
        ruleset, query = ruleset_or_404(slug), asked(OpeningQuery, request)
        found = explore(find_opening(ruleset.slug, query["opening"]), request.user, player=query["player"])
        return Response(OpeningShape(found).data)


__all__ = ["OpeningView"]
