"""Following players in the API: only the account itself sees whom it follows."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.queries import MarkQuery, asked, sent
from games.api.serializers import ErrorShape, PlayerShape, RatingEventShape
from games.lookup import player_or_404, signed_in
from games.platform.paging import Span, newest_first
from games.players.following import follow, unfollow
from games.players.reads.following import follows_of, is_following, with_newest

_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class FollowingShape(serializers.Serializer[Any]):
    """Whether the account follows a player."""

    following = serializers.BooleanField()


class FollowedShape(serializers.Serializer[Any]):
    """A player whom the account follows."""

    player = PlayerShape()
    since = serializers.DateTimeField(source="follow.since")
    newest = RatingEventShape(
        allow_null=True, help_text="The effect of the newest game that counts; null without a rated game."
    )


class FollowedPageShape(serializers.Serializer[Any]):
    """A page of followed players, most recently followed first."""

    players = FollowedShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


class AccountFollowingView(APIView):
    """Whom the account follows."""

    permission_classes = [IsAuthenticated]

    @extend_schema(parameters=[MarkQuery], responses={200: FollowedPageShape, **dict.fromkeys((400, 401), ErrorShape)})
    def get(self, request: Request) -> Response:
        """List the players whom the account follows, most recently followed first, 50 at a time."""
        page = newest_first(follows_of(signed_in(request)), "since", Span(**asked(MarkQuery, request)))
        rows = {"players": with_newest(page.rows), "newer": page.newer, "older": page.older}
        return Response(FollowedPageShape(rows, context={"request": request}).data)


class PlayerFollowingView(APIView):
    """Whether the account follows a player."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: FollowingShape, **dict.fromkeys((401, 404), ErrorShape)})
    def get(self, request: Request, pk: str) -> Response:
        """Return whether the account follows a player."""
        return Response({"following": is_following(player_or_404(request, pk), request.user)})

    @extend_schema(request=FollowingShape, responses={200: FollowingShape, **_REFUSALS})
    def put(self, request: Request, pk: str) -> Response:
        """Follow a player, or stop following. An account can follow at most 500 players."""
        player, account = player_or_404(request, pk), signed_in(request)
        if sent(FollowingShape, request)["following"]:
            follow(player, account, now=timezone.now())
        else:
            unfollow(player, account)
        return Response({"following": is_following(player, account)})
