"""Favourites and other collections of games."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.api.base import APIView
from games.api.idempotency import KEY, body_of, once_a_key
from games.api.queries import MarkQuery, asked, sent
from games.api.serializers import ErrorShape, GameShape
from games.collections import keeping
from games.collections.reads import collections_of, collections_with, games_in
from games.lookup import collection_or_404, game_or_404, own_collection_or_404, signed_in
from games.models import Collection
from games.platform.paging import Span, newest_first


class CollectionBody(serializers.Serializer[Any]):
    """A collection to make or to change."""

    name = serializers.CharField(max_length=keeping.LONGEST_NAME)
    public = serializers.BooleanField(default=False, help_text="Whether everybody who knows its address may read it.")


class CollectionShape(serializers.Serializer[Collection]):
    """A collection of an account."""

    key = serializers.CharField()
    name = serializers.CharField(help_text="Empty for the favourites.")
    favourites = serializers.BooleanField()
    public = serializers.BooleanField()
    owner = serializers.CharField(source="account.username")
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, collection: Collection) -> str:
        """Return the address of the collection."""
        return str(reverse("api-collection", [collection.key], request=self.context["request"]))


class CollectionsShape(serializers.Serializer[Any]):
    """The collections of an account."""

    collections = CollectionShape(many=True)


class CollectedShape(serializers.Serializer[Any]):
    """A game of a collection."""

    game = GameShape()
    added_at = serializers.DateTimeField()


class CollectionPageShape(CollectionShape):
    """A collection with a page of its games, the newest first."""

    games = CollectedShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


class FavouriteShape(serializers.Serializer[Any]):
    """Whether a game is among the account's favourites."""

    favourite = serializers.BooleanField()


def _shown(request: Request, collection: Collection) -> dict[str, Any]:
    return dict(CollectionShape(collection, context={"request": request}).data)


class AccountCollectionsView(APIView):
    """The account's collections."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: CollectionsShape, 401: ErrorShape})
    def get(self, request: Request) -> Response:
        """List the account's collections, the favourites first."""
        found = collections_of(signed_in(request)).select_related("account")
        return Response(CollectionsShape({"collections": found}, context={"request": request}).data)

    @extend_schema(
        request=CollectionBody,
        parameters=[KEY],
        responses={201: CollectionShape, **dict.fromkeys((400, 401, 409, 422), ErrorShape)},
    )
    @once_a_key(content_of=body_of)
    def post(self, request: Request) -> Response:
        """Make a collection. An account can have 100 besides its favourites."""
        made = keeping.make(signed_in(request), **sent(CollectionBody, request), now=timezone.now())
        body = _shown(request, made)
        return Response(body, status=status.HTTP_201_CREATED, headers={"Location": body["url"]})


class CollectionView(APIView):
    """One collection."""

    @extend_schema(
        parameters=[MarkQuery], responses={200: CollectionPageShape, **dict.fromkeys((400, 404), ErrorShape)}
    )
    def get(self, request: Request, key: str) -> Response:
        """Return a collection with 50 of its games, the newest first.

        Games that the reader may not see are left out.
        """
        found = collection_or_404(request, key)
        page = newest_first(games_in(found, request.user), "added_at", Span(**asked(MarkQuery, request)))
        games = CollectedShape(page.rows, many=True, context={"request": request}).data
        return Response({**_shown(request, found), "games": games, "newer": page.newer, "older": page.older})

    @extend_schema(
        request=CollectionBody, responses={200: CollectionShape, **dict.fromkeys((400, 401, 404, 409), ErrorShape)}
    )
    def put(self, request: Request, key: str) -> Response:
        """Rename a collection, and choose whether others may read it."""
        found = own_collection_or_404(request, key)
        keeping.change(found, **sent(CollectionBody, request))
        return Response(_shown(request, found))

    @extend_schema(responses={204: None, **dict.fromkeys((401, 404, 409), ErrorShape)})
    def delete(self, request: Request, key: str) -> Response:
        """Remove a collection; its games stay."""
        keeping.remove(own_collection_or_404(request, key))
        return Response(status=status.HTTP_204_NO_CONTENT)


class CollectionGameView(APIView):
    """A game in a collection."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=None, responses={204: None, **dict.fromkeys((401, 404, 409), ErrorShape)})
    def put(self, request: Request, collection: str, key: str) -> Response:
        """Add a game to a collection. A collection has at most 1,000 games."""
        keeping.add(own_collection_or_404(request, collection), game_or_404(request, key), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses={204: None, **dict.fromkeys((401, 404), ErrorShape)})
    def delete(self, request: Request, collection: str, key: str) -> Response:
        """Take a game out of a collection."""
        keeping.take_out(own_collection_or_404(request, collection), key)
        return Response(status=status.HTTP_204_NO_CONTENT)


class GameFavouriteView(APIView):
    """Whether a game is among the account's favourites."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: FavouriteShape, **dict.fromkeys((401, 404), ErrorShape)})
    def get(self, request: Request, key: str) -> Response:
        """Return whether a game is among the account's favourites."""
        having = collections_with(game_or_404(request, key), request.user)
        return Response({"favourite": any(having.values())})

    @extend_schema(
        request=FavouriteShape, responses={200: FavouriteShape, **dict.fromkeys((400, 401, 404, 409), ErrorShape)}
    )
    def put(self, request: Request, key: str) -> Response:
        """Add a game to the account's favourites, or take it out."""
        game, wanted = game_or_404(request, key), sent(FavouriteShape, request)["favourite"]
        keeping.set_favourite(signed_in(request), game, favourite=wanted, now=timezone.now())
        return Response({"favourite": wanted})
