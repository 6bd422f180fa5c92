"""Unfinished records, for programs and the score sheet: the position reached so far, and what can come next."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle

from engine.drafting import MOST_TOKENS, IllegalError, UnreadableError, answer_position
from engine.replay import Fault
from engine.touching import Reader
from engine.verify import ENGINE_VERSION
from engine.words import marked, params_json
from games.api.base import APIView
from games.api.errors import shape
from games.api.queries import HIGHEST_PLY, MOST_TOUCHED, TOUCHED, WHOLE, sent
from games.api.serializers import ErrorShape
from games.platform.engine_header import ENGINE_HEADER
from games.platform.parameters import ParameterError
from games.sentences import translated

MOST = 64 * 1024
"""Bytes of a text."""
_PLY = "Where actions are added and where the text ends if it is cut; the position that is shown if neither is wanted."


class DraftRequest(serializers.Serializer[Any]):
    """A text, changes to it, and what the client already has."""

    text = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, help_text="At most 64 KiB. Without it, `tags` begin one."
    )
    ply = serializers.IntegerField(default=None, allow_null=True, min_value=0, max_value=HIGHEST_PLY, help_text=_PLY)
    play = serializers.ListField(
        child=serializers.CharField(max_length=64), default=list, max_length=500, help_text="Actions to be added."
    )
    cut = serializers.BooleanField(default=False, help_text="Whether what follows `ply` is dropped.")
    comments = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=2000, trim_whitespace=False),
        default=dict,
        help_text="New comments by ply, -1 for the one before the first action; an empty one takes the comment away.",
    )
    tags = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=2000, trim_whitespace=False),
        default=dict,
        help_text="New values of tags; an empty one takes the tag away.",
    )
    drawn = serializers.CharField(
        default=None, allow_null=True, max_length=10, help_text="The next card, in any rotation."
    )
    whole = serializers.BooleanField(default=True, help_text=WHOLE)
    touched = serializers.ListField(
        child=serializers.CharField(max_length=64), default=list, max_length=MOST_TOUCHED, help_text=TOUCHED
    )
    known = serializers.ListField(
        child=serializers.CharField(max_length=64), default=list, max_length=1000, help_text="Drawings to leave out."
    )

    def validate_text(self, text: str) -> str:
        """Check the text. :raises ValidationError: when it is too long."""
        if len(text.encode()) > MOST:
            raise ParameterError("text", marked("A text may have at most 64 KiB."))
        return text

    def validate_comments(self, comments: dict[str, str]) -> dict[int, str]:
        """Return comments by number. :raises ValidationError: when a key is no ply."""
        try:
            return {int(ply): text for ply, text in comments.items()}
        except ValueError:
            raise ParameterError("comments", marked("The keys of comments must be plies.")) from None

    def validate(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Check the request. :raises ValidationError: when it has neither a text nor the tags of a new game."""
        if not asked["text"] and not asked["tags"]:
            raise ParameterError("text", marked("Send a text, or tags to begin one with."))
        return asked


class DraftTokenShape(serializers.Serializer[Any]):
    """A legal action of a draft."""

    token = serializers.CharField()
    line = serializers.IntegerField()
    column = serializers.IntegerField()
    ply = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The number of its round, or pair of turns.")
    seat = serializers.CharField()
    sentence = serializers.CharField(help_text="What it did, in words.")


class CompletionShape(serializers.Serializer[Any]):
    """A legal action that may have been meant."""

    token = serializers.CharField()
    sentence = serializers.CharField()


class DraftFaultShape(serializers.Serializer[Any]):
    """The first fault of a draft."""

    rule = serializers.CharField()
    line = serializers.IntegerField()
    column = serializers.IntegerField()
    end_column = serializers.IntegerField()
    message = serializers.CharField()
    token = serializers.CharField(allow_null=True)
    legal = serializers.ListField(child=serializers.CharField(), help_text="Up to 20 actions that were legal.")
    completions = CompletionShape(many=True, help_text="Up to four actions that may have been meant.")


class DraftShape(serializers.Serializer[Any]):
    """A draft's position, its next actions and its first fault."""

    position = serializers.DictField(
        allow_null=True,
        help_text="What is seen and what may be touched next, as engine/touching/position.schema.json describes it; "
        "null while the tags do not say how the game begins.",
    )
    actions = serializers.IntegerField(help_text="How many legal actions there are.")
    tokens = DraftTokenShape(
        many=True, help_text=f"The legal actions; of more than {MOST_TOKENS} those around the position."
    )
    fault = DraftFaultShape(allow_null=True)
    tags = serializers.DictField(child=serializers.CharField())
    comments = serializers.DictField(child=serializers.CharField(), help_text="The comments by ply.")
    result = serializers.CharField(help_text="The result that is due, * while the game goes on.")
    digest = serializers.CharField(allow_null=True, help_text="The game digest of a game that is over.")
    text = serializers.CharField(help_text="The canonical text of the legal actions.")


class PositionsView(APIView):
    """Reading a record that is being written."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "position"

    def get_throttles(self) -> list[BaseThrottle]:
        """Return a separate limit: writing a record takes many requests, each of which costs little."""
        return [throttle for throttle in super().get_throttles() if isinstance(throttle, ScopedRateThrottle)]

    @extend_schema(request=DraftRequest, responses={200: DraftShape, 400: ErrorShape})
    def post(self, request: Request) -> Response:
        """Return a position of an unfinished record, what may be touched next, and the record's first fault.

        Nothing is stored. `play`, `cut`, `comments` and `tags` change the text; the answer has the changed text.
        """
        asked = sent(DraftRequest, request)
        try:
            reader = Reader(
                known=frozenset(asked["known"]), whole=asked["whole"], touched=asked["touched"], translate=translated
            )
            return Response(answer_position(asked, reader), headers={ENGINE_HEADER: ENGINE_VERSION})
        except IllegalError as error:
            return _refused("illegal", error.fault)
        except UnreadableError as error:
            return _refused("unreadable", error.fault)


def _refused(code: str, fault: Fault) -> Response:
    place = {"line": fault.line, "column": fault.column, "rule": fault.rule, "token": fault.token}
    return Response(shape(code, fault.template, params_json(fault.params), place=place), status=400)
