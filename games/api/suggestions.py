"""Suggested corrections of a rejected record."""

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.suggesting import Kind, Suggestions
from games.api.base import APIView
from games.api.serializers import ErrorShape
from games.lookup import upload_or_404
from games.records.reads.games import find_log
from games.records.reads.replays import replay_of
from games.records.reads.suggestions import suggestions_for
from games.sentences import translated


class ReachShape(serializers.Serializer[Any]):
    """How far a record is legal after a change."""

    ply = serializers.IntegerField(help_text="How many actions are legal then.")
    line = serializers.IntegerField(help_text="The line of the file with the next fault, or with the record's end.")


class SuggestionShape(serializers.Serializer[Any]):
    """One change at the first fault of a record."""

    name = serializers.CharField(help_text="A short name of the change, such as `replace:O1:S`.")
    kind = serializers.ChoiceField([str(kind) for kind in Kind])
    token = serializers.CharField(allow_blank=True, help_text="What is written; empty where a token is left out.")
    sentence = serializers.CharField(allow_blank=True, help_text="What the new action does.")
    reaches = ReachShape()
    whole = serializers.BooleanField(help_text="Whether the whole game is legal then.")


class SuggestionsShape(serializers.Serializer[Any]):
    """Corrections of a record: first those that make the whole game legal, then those that get furthest."""

    token = serializers.CharField(allow_null=True, help_text="The token at fault; null where one is missing.")
    legal = serializers.IntegerField(help_text="How many actions are legal there.")
    more_legal = serializers.BooleanField(help_text="Whether there are even more, which were not counted.")
    tried = serializers.IntegerField(help_text="How many of them were tried, the most similar to the token first.")
    complete = serializers.BooleanField(help_text="Whether every change was tried; false if a limit was reached.")
    best = serializers.CharField(allow_null=True, help_text="The name of the best guess, if there is one.")
    message = serializers.CharField(allow_blank=True, help_text="The result in a sentence, in the language asked for.")
    suggestions = SuggestionShape(many=True)


_NOTHING = Suggestions(None, 0, more_legal=False, tried=0, found=())


class UploadLogSuggestionsView(APIView):
    """Suggested corrections of one record of an upload."""

    throttle_scope = "suggestions"

    @extend_schema(
        responses={200: SuggestionsShape, **dict.fromkeys((404, 429), ErrorShape)},
    )
    def get(self, request: Request, pk: UUID, number: int) -> Response:
        """Try every legal action in place of a rejected record's first mistake on the rest of the log.

        Leaving the token out, swapping it with the next one and inserting one are tried, too. The work is bounded: at
        most 500 changes and about a second. First comes what only repairs the writing, such as special spaces, dashes
        or quotation marks; for a fault outside the moves and the result nothing else is suggested.
        """
        log = find_log(upload_or_404(request, pk).pk, number, request.user)
        if log is None:
            raise Http404
        return Response((suggestions_for(replay_of(log)) or _NOTHING).as_json(translated))
