"""Facts about games in the API: how they were corrected, by their uploader or by an organiser of a club."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.queries import sent
from games.api.serializers import ErrorShape, ProgressShape, ResultShape, UploadShape
from games.clubs.correcting import correct_facts, date_and_event
from games.lookup import club_or_404, game_or_404, signed_in
from games.models import Game, Upload
from games.records.reads.facts import FactsChanged, changes_of, corrections_in
from games.uploads.reads.warnings import warnings_of

_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class ChangedFactShape(serializers.Serializer[Any]):
    """A tag whose value was corrected."""

    tag = serializers.CharField()
    before = serializers.CharField(allow_blank=True, help_text="Empty where it was missing.")
    after = serializers.CharField(allow_blank=True, help_text="Empty where it was removed.")


class CorrectedShape(serializers.Serializer[Any]):
    """Which facts about a game a record corrected."""

    changes = ChangedFactShape(many=True)
    comments = serializers.BooleanField(help_text="Whether the comments are others, too.")
    sentence = serializers.CharField(help_text="The same for people, in the language of the request.")


class UploadResultShape(UploadShape):
    """An upload with a page of its results."""

    progress = ProgressShape()
    warnings = serializers.SerializerMethodField(help_text="What may be wrong with the file, as sentences.")
    corrections = serializers.SerializerMethodField(
        help_text="How many records of the upload corrected facts about their games; the report says which."
    )
    results = ResultShape(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next results; null at the end.")

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_warnings(self, upload: Upload) -> list[str]:
        """Return what may be wrong with the file."""
        return warnings_of(upload)

    def get_corrections(self, upload: Upload) -> int:
        """Return how many."""
        return corrections_in(upload)


class FactChangeShape(CorrectedShape):
    """A correction of facts about a game."""

    at = serializers.DateTimeField()
    by = serializers.CharField(allow_blank=True, help_text="The account; empty if it was deleted.")
    club = serializers.CharField(allow_blank=True, help_text="For which an organiser corrected them; else empty.")


class FactsShape(serializers.Serializer[Any]):
    """The facts about a game that a club can correct, and how facts were corrected."""

    date = serializers.CharField(allow_blank=True, help_text="The Date tag; empty where there is none.")
    event = serializers.CharField(allow_blank=True, help_text="The Event tag; empty where there is none.")
    changes = FactChangeShape(many=True, help_text="Oldest first.")


class FactsBody(serializers.Serializer[Any]):
    """Date or event of a game, to be corrected for a club."""

    club = serializers.CharField(max_length=40, help_text="The address of a club for which the game counts.")
    date = serializers.CharField(
        max_length=10, required=False, allow_blank=True, help_text="As the Date tag, `2026.05.09` or `2026.05.??`."
    )
    event = serializers.CharField(max_length=255, required=False, allow_blank=True)


class FactsView(APIView):
    """The facts about a game."""

    @extend_schema(responses={200: FactsShape, 404: ErrorShape})
    def get(self, request: Request, key: str) -> Response:
        """Return date and event of a game, and how facts about it were corrected."""
        return _answer(request, game_or_404(request, key))

    @extend_schema(request=FactsBody, responses={200: FactsShape, **_REFUSALS})
    def patch(self, request: Request, key: str) -> Response:
        """Correct date and event of a game that counts for a club, as its organiser. What was before stays on record.

        What is left out stays as it is; an empty text removes it. Ratings stay; points of evenings and seasons follow
        the date. The Site tag cannot be corrected, not by the uploader either: with the name it says who a player is.
        """
        game, wanted = game_or_404(request, key), sent(FactsBody, request)
        club = club_or_404(wanted.pop("club"))
        correct_facts(game, club, wanted, by=signed_in(request), now=timezone.now())
        return _answer(request, game_or_404(request, key))


def _answer(request: Request, game: Game) -> Response:
    changes = [_change(one) for one in changes_of(game, request.user)]
    return Response(FactsShape({**date_and_event(game), "changes": changes}).data)


def _change(found: FactsChanged) -> dict[str, Any]:
    return {"at": found.at, "by": found.by, "club": found.club, **found.as_json}
