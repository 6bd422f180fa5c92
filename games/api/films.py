"""Films of games: asked for, waited for, and downloaded."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.api.base import APIView
from games.api.exports import AnyAnswer
from games.api.parameters import OLDER
from games.api.queries import HIGHEST_PLY, sent, size_field, theme_field
from games.api.serializers import ErrorShape
from games.films.asking import ask_for
from games.films.encoding import MEDIA_TYPES
from games.films.options import MOST_PLIES, PACES, SIZES, FilmError, FilmOptions
from games.films.reads import file_of, films_before
from games.lookup import asker, film_or_404, game_or_404
from games.models import Film
from games.records.reads.pictures import scenes_of
from games.tasks import wake_film_makers


class FilmQuery(serializers.Serializer[dict[str, Any]]):
    """Which positions of a game, and how they are shown."""

    format = serializers.ChoiceField(Film.Form.choices, required=False, default="webp")
    first = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=HIGHEST_PLY,
        help_text="The number of actions before the film begins.",
    )
    last = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=HIGHEST_PLY,
        help_text="The number of actions after which the film ends; without it, at the end of the game. "
        f"At most {MOST_PLIES} positions.",
    )
    size = size_field(SIZES, default=480)
    theme = theme_field()
    pace = serializers.IntegerField(
        required=False,
        default=900,
        min_value=PACES.start,
        max_value=PACES.stop - 1,
        help_text="Milliseconds for each position; the last one is shown three times as long.",
    )


class FilmShape(serializers.Serializer[Film]):
    """A film that was asked for."""

    id = serializers.IntegerField()
    url = serializers.SerializerMethodField(help_text="The address of its progress.")
    format = serializers.ChoiceField(Film.Form.choices, source="form")
    form = serializers.ChoiceField(Film.Form.choices, help_text=OLDER)
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    size = serializers.IntegerField()
    theme = serializers.CharField()
    pace = serializers.IntegerField()
    state = serializers.ChoiceField(Film.State.choices)
    before = serializers.SerializerMethodField(help_text="How many other films are made before this one.")
    file = serializers.SerializerMethodField(help_text="The file; null until it is made.")
    bytes = serializers.IntegerField(help_text="The size of the file; 0 until it is made.")

    def get_url(self, film: Film) -> str:
        """Return the address of the request."""
        return str(reverse("api-game-film", [film.game.key, film.pk], request=self.context["request"]))

    def get_before(self, film: Film) -> int:
        """Return how many are made before."""
        return films_before(film)

    def get_file(self, film: Film) -> str | None:
        """Return the address of the file."""
        if film.state != Film.State.MADE:
            return None
        return str(reverse("api-game-film-file", [film.game.key, film.pk], request=self.context["request"]))


class GameFilmsView(APIView):
    """Films of a game."""

    permission_classes = [AllowAny]
    throttle_scope = "film"

    @extend_schema(
        request=FilmQuery,
        responses={200: FilmShape, 202: FilmShape, **dict.fromkeys((400, 404, 409, 429, 503), ErrorShape)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Ask for a film of a game. The answer is 202 with the address to ask again, or 200 if the film exists.

        Films are made one after another. A film is kept for seven days after it was last asked for.
        """
        game = game_or_404(request, key)
        scenes = scenes_of(game, request.user)
        if not scenes:
            raise FilmError("no_film", "No action of this game could be played.")
        options = FilmOptions(**sent(FilmQuery, request))
        film = ask_for(game, options, plies=len(scenes) - 1, by=asker(request), now=timezone.now())
        if film.state == Film.State.WAITING:
            wake_film_makers()
        body = FilmShape(film, context={"request": request}).data
        code = status.HTTP_200_OK if film.state == Film.State.MADE else status.HTTP_202_ACCEPTED
        return Response(body, status=code, headers={"Location": body["url"]})


class GameFilmView(APIView):
    """One film of a game."""

    @extend_schema(responses={200: FilmShape, 404: ErrorShape})
    def get(self, request: Request, key: str, pk: str) -> Response:
        """Return how far a film is, and where its file is once it is made."""
        return Response(FilmShape(film_or_404(request, key, pk), context={"request": request}).data)


class GameFilmFileView(APIView):
    """The file of a film."""

    content_negotiation_class = AnyAnswer

    @extend_schema(responses={**{(200, kind): OpenApiTypes.BINARY for kind in MEDIA_TYPES.values()}, 404: ErrorShape})
    def get(self, request: Request, key: str, pk: str) -> HttpResponse:
        """Return the file of a film that is made."""
        film = film_or_404(request, key, pk)
        data = file_of(film)
        if data is None:
            raise Http404
        name = f"{key}-{film.first}-{film.last}.{film.form}"
        return HttpResponse(
            data,
            content_type=MEDIA_TYPES[film.form],
            headers={"Content-Disposition": f'inline; filename="{name}"'},
        )
