"""Leagues in the API."""

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
from games.leagues.reads import ladders_of, list_leagues, organisers_of, with_games
from games.lookup import found_league
from games.models import Ladder, League
from games.records.reads.titles import ruleset_title

PAGE = 100
"""Leagues in one answer."""


class LeagueShape(serializers.Serializer[League]):
    """A group whose organisers say which games count for its own ladders."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    created_at = serializers.DateTimeField()
    games = serializers.IntegerField(help_text="Games that count.")
    url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()

    def get_url(self, league: League) -> str:
        """Return the league's address in this interface."""
        return reverse("api-league", [league.slug], request=self.context["request"])

    def get_page(self, league: League) -> str:
        """Return the league's page."""
        address: str = self.context["request"].build_absolute_uri(league.get_absolute_url())
        return address


class LeagueDetailShape(LeagueShape):
    """A league with its organisers and ladders."""

    organisers = serializers.SerializerMethodField(help_text="The names of the organisers' accounts.")
    ladders = serializers.SerializerMethodField()

    def get_organisers(self, league: League) -> list[str]:
        """Return who accepts games for it."""
        return [account.get_username() for account in organisers_of(league)]

    @extend_schema_field(LadderListShape(many=True))
    def get_ladders(self, league: League) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the ladders for which games count."""
        rows = [self._row(league, ladder) for ladder in ladders_of(league)]
        return LadderListShape(rows, many=True).data

    def _row(self, league: League, ladder: Ladder) -> dict[str, object]:
        request, slug = self.context["request"], ladder.ruleset
        return {
            "ruleset": slug,
            "title": ruleset_title(slug),
            "players": ladder.players,
            "url": reverse("api-league-leaderboard", [league.slug, slug], request=request),
        }


class LeaguesView(APIView):
    """The leagues."""

    @extend_schema(
        parameters=[FromQuery],
        responses={200: LeagueShape(many=True), 400: ErrorShape},
    )
    def get(self, request: Request) -> Response:
        """List the leagues by name, 100 at a time: `start` is how many come before, and `Link` points to the next."""
        start = asked(FromQuery, request)["start"]
        found: Any = list_leagues()[start : start + PAGE + 1]
        following = reverse("api-leagues", request=request) + f"?start={start + PAGE}"
        headers = {"Link": f'<{following}>; rel="next"'} if len(found) > PAGE else {}
        return Response(LeagueShape(found[:PAGE], many=True, context={"request": request}).data, headers=headers)


class LeagueView(APIView):
    """A league."""

    @extend_schema(responses={200: LeagueDetailShape, 404: ErrorShape})
    def get(self, request: Request, league: str) -> Response:
        """Return what a league is, who organises it, and which ladders it has."""
        found = with_games(League.objects.filter(pk=found_league(league).pk)).get()
        return Response(LeagueDetailShape(found, context={"request": request}).data)
