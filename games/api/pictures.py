"""Pictures of positions, for other pages, articles and programs."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from engine.scene import SIZES
from games.api.base import APIView
from games.api.exports import AnyAnswer
from games.api.queries import HIGHEST_PLY, asked, size_field, theme_field
from games.api.serializers import ErrorShape
from games.lookup import game_or_404
from games.records.reads import pictures

_SVG, _PNG = "image/svg+xml", "image/png"


class PictureQuery(serializers.Serializer[dict[str, object]]):
    """Which position, and how it is drawn."""

    ply = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=HIGHEST_PLY,
        help_text="The number of actions before the position; without it, or past the end, the last position.",
    )
    format = serializers.ChoiceField(("svg", "png"), required=False, default="svg")
    size = size_field(SIZES, default=800)
    theme = theme_field()
    labels = serializers.BooleanField(
        required=False, default=True, help_text="Whether the letters and numbers at the board’s edges are drawn."
    )


class GamePictureView(APIView):
    """A picture of a game."""

    throttle_scope = "picture"
    content_negotiation_class = AnyAnswer

    @extend_schema(
        parameters=[PictureQuery],
        responses={
            (200, _SVG): OpenApiTypes.STR,
            (200, _PNG): OpenApiTypes.BINARY,
            400: ErrorShape,
            404: ErrorShape,
            503: ErrorShape,
        },
    )
    def get(self, request: Request, key: str) -> HttpResponse:
        """Return one position as SVG or PNG. All pictures of a game at one size have the same shape.

        One PNG is made at a time: where that takes too long, the answer is 503 with `Retry-After`.
        """
        scenes = pictures.scenes_of(game_or_404(request, key), request.user)
        if not scenes:
            raise Http404
        wanted = asked(PictureQuery, request)
        form, ply = wanted["format"], wanted.get("ply")
        drawn = pictures.picture_of(scenes, ply, size=wanted["size"], theme=wanted["theme"], labelled=wanted["labels"])
        name = f"{key}-{len(scenes) - 1 if ply is None else min(ply, len(scenes) - 1)}.{form}"
        return HttpResponse(
            pictures.png(drawn) if form == "png" else drawn,
            content_type=_PNG if form == "png" else _SVG,
            headers={"Content-Disposition": f'inline; filename="{name}"'},
        )
