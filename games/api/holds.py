"""Games that wait for an account's decision, in the API."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games import tasks
from games.api.base import APIView
from games.api.consent import HoldShape
from games.api.queries import MarkQuery, asked, sent
from games.api.serializers import ErrorShape
from games.holds.reads.holds import games_before, open_holds_for
from games.lookup import signed_in
from games.models import Flag
from games.moderation.decisions import Decision, may_settle, settle_flag
from games.moderation.reads.cases import open_flags
from games.platform.paging import Span, newest_first
from games.platform.roles import is_moderator
from games.run import rate_at_once

_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class WaitingHoldShape(HoldShape):
    """Games that wait for the account's decision."""

    game = serializers.SerializerMethodField(help_text="The game that waits.")
    like = serializers.SerializerMethodField(help_text="The earlier game with the same play, if that is the reason.")
    club = serializers.CharField(source="ladder.club.slug", allow_null=True, default=None)

    @extend_schema_field(serializers.URLField())
    def get_game(self, flag: Flag) -> str:
        """Return the game's address in this interface."""
        return reverse("api-game", [flag.game.key], request=self.context["request"])

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_like(self, flag: Flag) -> str | None:
        """Return the address of the game that it repeats, if it waits as a repeat."""
        before = self.context["before"].get(flag.params.get("like"))
        return reverse("api-game", [before.key], request=self.context["request"]) if before else None


class HoldPageShape(serializers.Serializer[Any]):
    """A page of games that wait for the account's decision, newest first."""

    holds = WaitingHoldShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


class HoldAnswer(serializers.Serializer[Any]):
    """The decision on a waiting game."""

    count = serializers.BooleanField(help_text="True to rate the game, false to leave it unrated.")
    reason = serializers.CharField(max_length=1000)


class HoldsView(APIView):
    """Games that wait for the account's decision."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        parameters=[MarkQuery],
        responses={200: HoldPageShape, **dict.fromkeys((400, 401), ErrorShape)},
    )
    def get(self, request: Request) -> Response:
        """List games that wait for the account's decision, newest first, 50 at a time.

        Organisers see those of their clubs, moderators see all.
        """
        page = newest_first(_waiting(request), "raised_at", Span(**asked(MarkQuery, request)))
        context = {"request": request, "before": games_before(page.rows)}
        rows = {"holds": page.rows, "newer": page.newer, "older": page.older}
        return Response(HoldPageShape(rows, context=context).data)


def _waiting(request: Request) -> "QuerySet[Flag]":
    user = signed_in(request)
    return open_flags() if is_moderator(user) else open_holds_for(user.pk)


class HoldDecisionView(APIView):
    """The decision on a waiting game."""

    @extend_schema(request=HoldAnswer, responses={200: WaitingHoldShape, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Rate a waiting game, or leave it unrated; open to moderators, and in clubs to their organisers."""
        flag = Flag.objects.select_related("game", "player", "ladder__club").filter(pk=int(pk)).first()
        user = signed_in(request)
        if flag is None or not may_settle(flag, user):
            raise Http404
        answer = sent(HoldAnswer, request)
        decision = Decision(user, timezone.now(), answer["reason"])
        settled = settle_flag(flag, decision, unrated=not answer["count"])
        rate_at_once([flag.game.key], now=timezone.now)
        tasks.wake_workers()  # a club's ladder is left to the worker
        return Response(WaitingHoldShape(settled, context={"request": request, "before": games_before([settled])}).data)
