"""The game of the day."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.serializers import ErrorShape, GameShape
from games.daily.reads import game_of_the_day


class GameOfTheDayShape(serializers.Serializer[Any]):
    """The game that was chosen for a day."""

    day = serializers.DateField()
    game = GameShape()


class GameOfTheDayView(APIView):
    """The game of the day."""

    @extend_schema(responses={200: GameOfTheDayShape, 404: ErrorShape})
    def get(self, request: Request) -> Response:
        """Return the game of the day: of the newest verified games the one in which the lead changed most often."""
        found = game_of_the_day(timezone.now().date())
        if found is None:
            raise Http404
        return Response(GameOfTheDayShape(found, context={"request": request}).data)
