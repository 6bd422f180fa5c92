"""What an address asks for besides its path."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from games.models.records import VerdictKind


class GameQuery(serializers.Serializer[Any]):
    """Which games are wanted."""

    player = serializers.CharField(required=False, max_length=64, help_text="Part of a name, or `#` and a number.")
    game = serializers.CharField(required=False, max_length=40, help_text="The value of the Game tag.")
    edition = serializers.CharField(required=False, max_length=40, help_text="The value of the Rules tag.")
    verdict = serializers.ChoiceField(VerdictKind.choices, required=False)
    since = serializers.DateField(required=False, help_text="The first day of play.")
    until = serializers.DateField(required=False, help_text="The last day of play.")
    league = serializers.SlugField(
        required=False, max_length=40, help_text="The address of a league that accepted them."
    )
    before = serializers.CharField(required=False, default="", max_length=40)
    after = serializers.CharField(required=False, default="", max_length=40)


class FromQuery(serializers.Serializer[Any]):
    """Where a page begins."""

    start = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**9)


class NameQuery(serializers.Serializer[Any]):
    """Whom to look for."""

    name = serializers.CharField(required=False, default="", max_length=64)


def asked(query: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """What an address asks for. :raises ValidationError: when that is not understood."""
    said = query(data=request.query_params)
    said.is_valid(raise_exception=True)
    return dict(said.validated_data)
