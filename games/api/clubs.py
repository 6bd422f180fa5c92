"""Clubs in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from games.api.ladder_shapes import LadderListShape
from games.api.queries import FromQuery, asked
from games.api.serializers import ErrorShape
from games.clubs.reads.accepted import ladders_of
from games.clubs.reads.clubs import list_clubs, organisers_of, with_games
from games.lookup import found_club
from games.models import Club, Ladder
from games.records.reads.titles import ruleset_title

PAGE = 100
"""Clubs in one answer."""


class ClubShape(serializers.Serializer[Club]):
    """A group whose organisers say which games count for its own ladders."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    created_at = serializers.DateTimeField()
    games = serializers.IntegerField(help_text="Games that count.")
    url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()

    def get_url(self, club: Club) -> str:
        """Return the club's address in this interface."""
        return reverse("api-club", [club.slug], request=self.context["request"])

    def get_page(self, club: Club) -> str:
        """Return the club's page."""
        address: str = self.context["request"].build_absolute_uri(club.get_absolute_url())
        return address


class ClubDetailShape(ClubShape):
    """A club with its organisers and ladders."""

    organisers = serializers.SerializerMethodField(help_text="The names of the organisers' accounts.")
    ladders = serializers.SerializerMethodField()

    def get_organisers(self, club: Club) -> list[str]:
        """Return who accepts games for it."""
        return [account.get_username() for account in organisers_of(club)]

    @extend_schema_field(LadderListShape(many=True))
    def get_ladders(self, club: Club) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the ladders for which games count."""
        rows = [self._row(club, ladder) for ladder in ladders_of(club)]
        return LadderListShape(rows, many=True).data

    def _row(self, club: Club, ladder: Ladder) -> dict[str, object]:
        request, slug = self.context["request"], ladder.ruleset
        return {
            "ruleset": slug,
            "title": ruleset_title(slug),
            "players": ladder.players,
            "url": reverse("api-club-leaderboard", [club.slug, slug], request=request),
        }


class ClubsView(APIView):
    """The clubs."""

    @extend_schema(
        parameters=[FromQuery],
        responses={200: ClubShape(many=True), 400: ErrorShape},
    )
    def get(self, request: Request) -> Response:
        """List the clubs by name, 100 at a time: `start` is how many come before, and `Link` points to the next."""
        start = asked(FromQuery, request)["start"]
        found: Any = list_clubs()[start : start + PAGE + 1]
        following = reverse("api-clubs", request=request) + f"?start={start + PAGE}"
        headers = {"Link": f'<{following}>; rel="next"'} if len(found) > PAGE else {}
        return Response(ClubShape(found[:PAGE], many=True, context={"request": request}).data, headers=headers)


class ClubView(APIView):
    """A club."""

    @extend_schema(responses={200: ClubDetailShape, 404: ErrorShape})
    def get(self, request: Request, club: str) -> Response:
        """Return what a club is, who organises it, and which ladders it has."""
        found = with_games(Club.objects.filter(pk=found_club(club).pk)).get()
        return Response(ClubDetailShape(found, context={"request": request}).data)
