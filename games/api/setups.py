"""Laying out a game as it lies on a table, for programs and the score sheet: what may still go where."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle

from engine.drafting import answer_setup
from engine.registry import ruleset_by_slug
from engine.ruleset import TagError
from engine.touching import LayingError, Reader
from engine.verify import ENGINE_VERSION
from engine.words import params_json
from games.api.base import APIView
from games.api.errors import shape
from games.api.queries import sent
from games.api.serializers import ErrorShape, Labelled
from games.platform.engine_header import ENGINE_HEADER
from games.sentences import translated


class SetupRequest(serializers.Serializer[Any]):
    """What lies on the table, and what the client already has."""

    laid = serializers.DictField(
        child=serializers.CharField(max_length=20), default=dict, help_text="By the key of each place, what lies there."
    )
    deck = serializers.CharField(default=None, allow_null=True, max_length=2000, help_text="The Deck tag.")
    hand = serializers.ListField(
        child=serializers.CharField(max_length=20), default=None, allow_null=True, max_length=60,
        help_text="The cards that were dealt to be laid, where they alone may lie.",
    )  # fmt: skip
    seats = serializers.ListField(
        child=serializers.CharField(max_length=1), default=list, max_length=4, help_text="Letters, in turn order."
    )
    known = serializers.ListField(
        child=serializers.CharField(max_length=64), default=list, max_length=1000, help_text="Drawings to leave out."
    )


class SetupWayShape(Labelled):
    """A way in which something can lie."""

    part = serializers.CharField(help_text="To be given in `laid`.")
    symbol = serializers.CharField()
    turn = serializers.FloatField(help_text="Degrees clockwise.")


class SetupKindShape(Labelled):
    """Cards or tiles that are alike."""

    card = serializers.CharField()
    symbol = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="What is written on it.")
    left = serializers.IntegerField()
    of = serializers.IntegerField()
    parts = SetupWayShape(many=True)


class SetupGroupShape(Labelled):
    """Kinds that belong together."""

    left = serializers.IntegerField(help_text="How many are left in all.")
    cards = SetupKindShape(many=True)


class SetupPlaceShape(Labelled):
    """A place, in scene units."""

    key = serializers.CharField()
    x = serializers.FloatField()
    y = serializers.FloatField()
    w = serializers.FloatField()
    h = serializers.FloatField()
    laid = serializers.CharField(allow_null=True)
    parts = serializers.ListField(child=serializers.CharField(), help_text="What may lie there.")


class SetupDeckShape(Labelled):
    """A deck by its name."""

    value = serializers.CharField(help_text="Of the Deck tag.")


class SetupSeatShape(serializers.Serializer[Any]):
    """A colour at the table."""

    letter = serializers.CharField()
    tag = serializers.CharField(help_text="The tag of the player's name.")
    colour = serializers.CharField()


class SetupShape(serializers.Serializer[Any]):
    """The layout so far, and what may still go where."""

    ruleset = serializers.CharField()
    game = serializers.CharField(help_text="Of the Game tag.")
    rules = serializers.CharField(help_text="Of the Rules tag.")
    title = serializers.CharField(help_text="The ruleset's name.")
    seats = SetupSeatShape(many=True)
    seatings = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    places = SetupPlaceShape(many=True)
    next = serializers.CharField(allow_null=True, help_text="The place to be filled next, where there is an order.")
    groups = SetupGroupShape(many=True)
    frame = serializers.DictField(help_text="What it looks like: a whole frame, as those of a replay.")
    box = serializers.ListField(child=serializers.FloatField())
    labels = serializers.ListField(child=serializers.DictField())
    symbols = serializers.DictField(child=serializers.CharField())
    decks = SetupDeckShape(many=True)
    sentence = serializers.CharField()
    complete = serializers.BooleanField(help_text="Whether a game can begin like this.")
    setup = serializers.CharField(allow_null=True, help_text="The Setup tag, if it can.")


class SetupView(APIView):
    """Laying out a game."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "position"

    def get_throttles(self) -> list[BaseThrottle]:
        """Return a separate limit: laying out a game takes many requests, each of which costs little."""
        return [throttle for throttle in super().get_throttles() if isinstance(throttle, ScopedRateThrottle)]

    @extend_schema(responses={200: SetupShape, 400: ErrorShape, 404: ErrorShape})
    def get(self, _request: Request, slug: str) -> Response:
        """Return the empty table of a game, with its seats, decks and what can be laid where."""
        return _answer(slug, {"laid": {}, "deck": None, "hand": None, "known": []})

    @extend_schema(
        request=SetupRequest,
        responses={200: SetupShape, 400: ErrorShape, 404: ErrorShape},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Return what may still be laid, and the `Setup` tag once the game can begin. Nothing is stored."""
        return _answer(slug, sent(SetupRequest, request))


def _answer(slug: str, asked: dict[str, Any]) -> Response:
    try:
        ruleset = ruleset_by_slug(slug)
    except KeyError:
        raise Http404 from None
    reader = Reader(known=frozenset(asked["known"]), translate=translated)
    try:
        return Response(answer_setup(ruleset, asked, reader), headers={ENGINE_HEADER: ENGINE_VERSION})
    except LayingError as error:
        said = error.words
        return Response(shape("not_laid", said.template, dict(said.params), place={"parameter": "laid"}), status=400)
    except TagError as error:
        place = {"parameter": "deck", "rule": error.rule}
        return Response(shape("wrong_deck", error.template, params_json(error.params), place=place), status=400)
