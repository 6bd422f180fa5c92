"""Private games in the API: the uploader can make a game public, or private again while it counts nowhere."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.queries import sent
from games.api.serializers import ErrorShape
from games.consent.privacy import hide, show
from games.lookup import game_or_404, signed_in
from games.models import Game

_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class PrivacyShape(serializers.Serializer[Any]):
    """Whether a game is private."""

    private = serializers.BooleanField(
        help_text="Whether only its uploader, players whose claim the uploader approved, and moderators can see it."
    )


class PrivacyView(APIView):
    """Whether a game is private."""

    @extend_schema(responses={200: PrivacyShape, 404: ErrorShape})
    def get(self, request: Request, key: str) -> Response:
        """Return whether a game is private."""
        return _answer(game_or_404(request, key))

    @extend_schema(request=PrivacyShape, responses={200: PrivacyShape, **_REFUSALS})
    def put(self, request: Request, key: str) -> Response:
        """Make a game public, or private if only the account has uploaded it and it counts nowhere."""
        game = game_or_404(request, key)
        turn = hide if sent(PrivacyShape, request)["private"] else show
        turn(game, signed_in(request), now=timezone.now())
        return _answer(game_or_404(request, key))


def _answer(game: Game) -> Response:
    return Response(PrivacyShape(game).data)
