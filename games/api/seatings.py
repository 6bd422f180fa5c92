"""The seatings of a game in the API: the players named by uploads of the same moves, and an account's choice."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.queries import MarkQuery, asked, sent
from games.api.serializers import ErrorShape, GamePageShape, GameShape, SeatShape
from games.consent.reads.challenges import choice_of, find_seating, rivals_of, seatings_to_settle
from games.consent.seatings import choose
from games.lookup import game_or_404, signed_in
from games.models import Challenge, Game
from games.platform.paging import Span
from games.records.reads.games import with_seats
from games.run import rate_at_once

_PAGE = 50


class SeatingShape(serializers.Serializer[Any]):
    """The players that an upload names."""

    key = serializers.CharField(source="game.key", help_text="The key by which it is chosen.")
    seats = serializers.SerializerMethodField()
    chosen = serializers.BooleanField(help_text="Whether the account that asks has chosen it.")

    @extend_schema_field(SeatShape(many=True))
    def get_seats(self, seating: dict[str, Any]) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the seats in turn order."""
        return GameShape(context=self.context).get_seats(seating["game"])


class ChallengeShape(SeatingShape):
    """The players that another upload of the same moves names."""

    id = serializers.IntegerField()
    by = serializers.CharField(allow_null=True, help_text="The account that uploaded it.")
    raised_at = serializers.DateTimeField()
    holds = serializers.BooleanField(help_text="Whether the game is unrated until it is settled.")


class SeatingsShape(serializers.Serializer[Any]):
    """The seating that applies, and a page of those that challenge it, the newest first."""

    applies = SeatingShape()
    challenges = ChallengeShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


class Choice(serializers.Serializer[Any]):
    """Which seating is right."""

    seating = serializers.CharField(max_length=8, help_text="The key of the seating.")


def _answer(request: Request, game: Game, span: Span) -> Response:
    page = rivals_of(game, span)
    chosen = choice_of(game, request.user.pk) if request.user.pk else None
    whole = {
        "applies": {"game": game, "chosen": chosen == game.pk},
        "challenges": [_rival(challenge, chosen) for challenge in page.rows],
        "newer": page.newer,
        "older": page.older,
    }
    return Response(SeatingsShape(whole, context={"request": request}).data)


def _rival(challenge: Challenge, chosen: int | None) -> dict[str, Any]:
    by = challenge.raised_by.get_username() if challenge.raised_by else None
    about = {"id": challenge.pk, "raised_at": challenge.raised_at, "holds": challenge.holds, "by": by}
    return {"game": challenge.rival, "chosen": chosen == challenge.rival_id, **about}


class SeatingsView(APIView):
    """Who played a game."""

    @extend_schema(
        parameters=[MarkQuery],
        responses={200: SeatingsShape, **dict.fromkeys((400, 404), ErrorShape)},
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the players of a game and, until it is settled, those named by other uploads of the same moves."""
        game = game_or_404(request, key)
        return _answer(request, game, Span(**asked(MarkQuery, request), size=_PAGE))

    @extend_schema(
        request=Choice,
        responses={200: SeatingsShape, **dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Choose the right seating. It is settled once all named accounts have chosen the same one."""
        game = game_or_404(request, key)
        try:
            seating = find_seating(game, sent(Choice, request)["seating"])
        except Game.DoesNotExist:
            raise Http404 from None
        applies = choose(seating, signed_in(request), now=timezone.now())
        rate_at_once([applies.key], now=timezone.now)
        return _answer(request, with_seats(Game.objects.filter(pk=applies.pk)).get(), Span(size=_PAGE))


class ToSettleView(APIView):
    """Games for which the account can choose who played."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        parameters=[MarkQuery],
        responses={200: GamePageShape, **dict.fromkeys((400, 401), ErrorShape)},
    )
    def get(self, request: Request) -> Response:
        """List the games for which the account can choose the right seating, newest first, 50 at a time."""
        page = seatings_to_settle(signed_in(request).pk, Span(**asked(MarkQuery, request)))
        rows = {"games": page.rows, "newer": page.newer, "older": page.older}
        return Response(GamePageShape(rows, context={"request": request}).data)
