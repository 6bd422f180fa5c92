"""The games that match a filter."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import serializers as shapes
from games.api.base import APIView
from games.api.queries import INDEX_PROGRESS, GameListQuery, asked
from games.platform.paging import Span
from games.search.reads.listing import games_found
from games.search.reads.positions import games_of
from games.search.reads.progress import progress_of


class FoundGameShape(shapes.GameShape):
    """A game in a list, with what the list is sorted by."""

    measure = serializers.IntegerField(
        allow_null=True,
        default=None,
        help_text="Actions, lead changes, the second’s final figure in percent of the first’s, the mean rating of the "
        "players before the game, or comments; null where the newest come first.",
    )

    class Meta(shapes.GameShape.Meta):
        """The same, and one more."""

        fields = [*shapes.GameShape.Meta.fields, "measure"]


class FoundGamesShape(shapes.GamePageShape):
    """A page of the games that match a filter, newest first or as asked for."""

    games = FoundGameShape(many=True)

    index_progress = serializers.IntegerField(allow_null=True, help_text=INDEX_PROGRESS)


class GamesView(APIView):
    """The games."""

    @extend_schema(
        parameters=[GameListQuery],
        responses={200: FoundGamesShape, **dict.fromkeys((400, 404, 422), shapes.ErrorShape)},
    )
    def get(self, request: Request) -> Response:
        """List games, newest first or by `sort`, 50 at a time."""
        wanted = asked(GameListQuery, request)
        span = Span(before=wanted.pop("before"), after=wanted.pop("after"))
        page = games_found(games_of(wanted, request.user), span, request.user)
        rows = {"games": page.rows, "newer": page.newer, "older": page.older, "index_progress": progress_of(wanted)}
        return Response(FoundGamesShape(rows, context={"request": request}).data)
