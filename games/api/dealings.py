"""How a game was dealt, for programs."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.serializers import ErrorShape
from games.lookup import game_or_404
from games.records.reads.dealings import GameDealing, dealing_of


class DealShape(serializers.Serializer[Any]):
    """What follows from the secret and the entropies, as `python -m engine deal --json` prints it."""

    commitment = serializers.CharField()
    seed = serializers.CharField()
    first = serializers.IntegerField(help_text="The player drawn to begin, by the order of joining, from 0.")
    setup = serializers.CharField()
    deck = serializers.ListField(child=serializers.CharField(), allow_null=True)


class DealingShape(serializers.Serializer[Any]):
    """Whether a game was dealt as its record says, with the secret and texts that the deal follows from."""

    status = serializers.ChoiceField(choices=["sealed", "proved", "broken"])
    rule = serializers.CharField(allow_null=True, help_text="The first rule that does not hold.")
    message = serializers.CharField()
    entropies = serializers.ListField(child=serializers.CharField(), help_text="In the order of joining.")
    secret = serializers.CharField(allow_null=True, help_text="Null until the game is over.")
    deal = DealShape(allow_null=True, help_text="Null while there is no secret to deal from.")


class GameDealingView(APIView):
    """Reading how a game was dealt."""

    @extend_schema(summary="How a game was dealt", responses={200: DealingShape, 404: ErrorShape})
    def get(self, request: Request, key: str) -> Response:
        """Return how a game was dealt; 404 if its record does not say."""
        found = dealing_of(game_or_404(request, key), request.user)
        if found is None:
            raise Http404
        return Response(_json(found))


def _json(found: GameDealing) -> dict[str, Any]:
    explained = found.explained()
    given = {"entropies": list(found.entropies), "secret": found.secret}
    return found.dealing.as_json() | given | {"deal": explained and explained.deal.as_json()}
