"""Evenings, seasons and points of clubs in the API."""

from collections.abc import Iterable
from datetime import date
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.api.club_shapes import (
    AnswerBody,
    EveningBody,
    EveningShape,
    PlayedEveningShape,
    PointsShape,
    ScheduleBody,
    ScheduleShape,
    SeasonBody,
    SeasonShape,
)
from games.api.clubs import REFUSALS, ClubsAPIView
from games.api.lists import PAGE
from games.api.queries import FromQuery, asked, sent
from games.api.serializers import ErrorShape
from games.clubs import running, scheduling
from games.clubs.errors import ClubError
from games.clubs.reads.clubs import member_of, planned_evenings, season_of, with_answers
from games.clubs.reads.points import PointsRow, as_json, club_points, games_of_season, points_table, table_of
from games.clubs.reads.schedules import schedule_of
from games.lookup import club_or_404, signed_in
from games.models import Attendance, ClubMember, Evening, Game, Season
from games.models.records import VerdictKind
from games.records.reads.recranks import recranks_of

REPLAYED = 20
"""Games in one answer that are replayed for it."""
Thing = TypeVar("Thing", bound=Model)
EVENINGS = 20
"""Planned evenings in one answer: each has the names of everybody who is coming."""


class PointsQuery(serializers.Serializer[Any]):
    """The season of the requested table of points."""

    season = serializers.IntegerField(
        min_value=1, max_value=2**53, required=False, help_text="A season's id. Default: the current season."
    )


class EveningsView(ClubsAPIView):
    """The evenings that a club has planned."""

    @extend_schema(parameters=[FromQuery], responses={200: EveningShape(many=True), 400: ErrorShape, 404: ErrorShape})
    def get(self, request: Request, club: str) -> Response:
        """List the planned evenings, the next one first, 20 at a time; `Link` points to the next page."""
        mine, start = club_or_404(club), asked(FromQuery, request)["start"]
        found: Any = list(planned_evenings(mine, today=mine.day(timezone.now()))[start : start + EVENINGS + 1])
        following = reverse("api-club-evenings", [mine.slug], request=request) + f"?start={start + EVENINGS}"
        headers = {"Link": f'<{following}>; rel="next"'} if len(found) > EVENINGS else {}
        shown = EveningShape(found[:EVENINGS], many=True, context={"request": request})
        return Response(shown.data, headers=headers)

    @extend_schema(request=EveningBody, responses={201: EveningShape, **REFUSALS})
    def post(self, request: Request, club: str) -> Response:
        """Plan an evening, as an organiser."""
        wanted, now = sent(EveningBody, request), timezone.now()
        return _answer(request, running.plan(club_or_404(club), **wanted, by=signed_in(request), now=now), status=201)


class PlayedView(ClubsAPIView):
    """The evenings that a club has played."""

    @extend_schema(
        parameters=[FromQuery], responses={200: PlayedEveningShape(many=True), 400: ErrorShape, 404: ErrorShape}
    )
    def get(self, request: Request, club: str) -> Response:
        """List evenings with games, newest first, 100 at a time; `Link` points to the next page."""
        mine, start = club_or_404(club), asked(FromQuery, request)["start"]
        points = club_points(mine, None)
        days = list(points.played)[start : start + PAGE + 1]
        rows: Any = [
            {"day": day, "games": points.played[day], "rows": _of_day(day, points.rows)} for day in days[:PAGE]
        ]
        following = reverse("api-club-evenings-played", [mine.slug], request=request) + f"?start={start + PAGE}"
        headers = {"Link": f'<{following}>; rel="next"'} if len(days) > PAGE else {}
        return Response(PlayedEveningShape(rows, many=True).data, headers=headers)


def _of_day(day: date, rows: Iterable[PointsRow]) -> list[dict[str, object]]:
    there = sorted((row for row in rows if day in row.evenings), key=lambda row: (-row.evenings[day], row.name))
    return [{"player": row.player, "name": row.name, "points": row.evenings[day] / 2} for row in there]


class EveningView(ClubsAPIView):
    """A planned evening."""

    @extend_schema(responses={200: EveningShape, 404: ErrorShape})
    def get(self, request: Request, club: str, pk: str) -> Response:
        """Return an evening, with who is coming."""
        return _answer(request, _of(Evening.objects.all(), club, pk))

    @extend_schema(responses={204: None, **REFUSALS})
    def delete(self, request: Request, club: str, pk: str) -> Response:
        """Cancel an evening, as an organiser; games of that day stay."""
        running.cancel(_of(Evening.objects.all(), club, pk), by=signed_in(request))
        return Response(status=204)


class EveningAnswerView(ClubsAPIView):
    """Answering to an evening."""

    @extend_schema(request=AnswerBody, responses={200: EveningShape, **REFUSALS})
    def put(self, request: Request, club: str, pk: str) -> Response:
        """Say whether you are coming; organisers can also answer for members without an account."""
        evening, wanted = _of(Evening.objects.all(), club, pk), sent(AnswerBody, request)
        number = wanted.get("member")
        member = _of(ClubMember.objects.all(), club, number) if number else member_of(evening.club, request.user)
        if member is None:
            raise ClubError("not_allowed", "Only members can say whether they are coming.")
        running.answer(evening, member, Attendance.Answer(wanted["answer"]), by=signed_in(request))
        return _answer(request, evening)


class SeasonsView(ClubsAPIView):
    """The seasons of a club."""

    @extend_schema(responses={200: SeasonShape(many=True), 404: ErrorShape})
    def get(self, request: Request, club: str) -> Response:  # noqa: ARG002 (a view)
        """List a club's seasons, newest first."""
        found: Any = club_or_404(club).seasons.order_by("-begins", "-pk")
        return Response(SeasonShape(found, many=True).data)

    @extend_schema(request=SeasonBody, responses={201: SeasonShape, **REFUSALS})
    def post(self, request: Request, club: str) -> Response:
        """Begin a season, as an organiser."""
        season = running.begin_season(club_or_404(club), **sent(SeasonBody, request), by=signed_in(request))
        return Response(SeasonShape(season).data, status=201)


class SeasonClosingView(ClubsAPIView):
    """Closing a season."""

    @extend_schema(request=None, responses={200: SeasonShape, **REFUSALS})
    def post(self, request: Request, club: str, pk: str) -> Response:
        """Close a season, as an organiser, and keep its table as it is now."""
        season = running.close_season(_of(Season.objects.all(), club, pk), by=signed_in(request), now=timezone.now())
        return Response(SeasonShape(season).data)


class SeasonRecranksView(ClubsAPIView):
    """The games of a season for rating sites."""

    @extend_schema(
        parameters=[FromQuery],
        responses={200: serializers.ListSerializer(child=serializers.DictField()), 400: ErrorShape, 404: ErrorShape},
    )
    def get(self, request: Request, club: str, pk: str) -> Response:
        """Return the games of a season in the shape of AbstractPlay's recranks, evening by evening.

        Twenty games at a time, without private ones, which leave gaps; `Link` points to the next page. `event` and
        `round` are those of the records.
        """
        season, start = _of(Season.objects.all(), club, pk), asked(FromQuery, request)["start"]
        found = list(games_of_season(season.club, season)[start : start + REPLAYED + 1])
        public = (
            Game.objects.filter(private=False, verdict=VerdictKind.VERIFIED)
            .prefetch_related("seatings")
            .in_bulk(found[:REPLAYED])
        )
        site, now = urlsplit(settings.SITE_URL).netloc, timezone.now()
        shown = [recranks_of(public[pk], request.user, site=site, now=now) for pk in found[:REPLAYED] if pk in public]
        following = reverse("api-club-season-recranks", [season.club.slug, season.pk], request=request)
        link = f'<{following}?start={start + REPLAYED}>; rel="next"'
        return Response(shown, headers={"Link": link} if len(found) > REPLAYED else {})


class ScheduleView(ClubsAPIView):
    """The schedule of a season."""

    @extend_schema(responses={200: ScheduleShape, 404: ErrorShape})
    def get(self, request: Request, club: str, pk: str) -> Response:  # noqa: ARG002 (a view)
        """Return a season's schedule: its rounds and tables, and which of them were played."""
        return _schedule(_of(Season.objects.all(), club, pk))

    @extend_schema(request=ScheduleBody, responses={201: ScheduleShape, **REFUSALS})
    def post(self, request: Request, club: str, pk: str) -> Response:
        """Draw the schedule of a season for all members, as an organiser."""
        season, wanted = _of(Season.objects.all(), club, pk), sent(ScheduleBody, request)
        return _schedule(scheduling.draw(season, **wanted, by=signed_in(request), now=timezone.now()), status=201)

    @extend_schema(responses={204: None, **REFUSALS})
    def delete(self, request: Request, club: str, pk: str) -> Response:
        """Remove a season's schedule, as an organiser; games stay."""
        scheduling.drop(_of(Season.objects.all(), club, pk), by=signed_in(request))
        return Response(status=204)


class ScheduleRoundsView(ClubsAPIView):
    """Drawing Swiss rounds."""

    @extend_schema(request=None, responses={201: ScheduleShape, **REFUSALS})
    def post(self, request: Request, club: str, pk: str) -> Response:
        """Draw the next Swiss round from the standings, as an organiser.

        Members who said that they cannot come to the next evening are left out.
        """
        season = _of(Season.objects.all(), club, pk)
        return _schedule(scheduling.draw_round(season, by=signed_in(request), now=timezone.now()), status=201)


def _schedule(season: Season, *, status: int = 200) -> Response:
    schedule = schedule_of(season)
    if schedule is None:
        raise Http404
    return Response(ScheduleShape(schedule).data, status=status)


class PointsView(ClubsAPIView):
    """The table of points."""

    @extend_schema(parameters=[PointsQuery], responses={200: PointsShape, 400: ErrorShape, 404: ErrorShape})
    def get(self, request: Request, club: str) -> Response:
        """Return the table of a season, or of all games if there is none. A closed season's table is final."""
        mine, number = club_or_404(club), asked(PointsQuery, request).get("season")
        if number:
            season = _of(Season.objects.all(), club, number)
            return Response(PointsShape({"season": season, **table_of(mine, season)}).data)
        running_now = season_of(mine, today=mine.day(timezone.now()))
        table = as_json(points_table(mine, running_now))
        return Response(PointsShape({"season": running_now, **table}).data)


def _of(found: QuerySet[Thing], club: str, pk: str | int) -> Thing:
    """Return an evening or a season of a club. :raises Http404: when the club has none with this id."""
    return get_object_or_404(found.select_related("club"), pk=int(pk), club=club_or_404(club).pk)


def _answer(request: Request, evening: Evening, *, status: int = 200) -> Response:
    return Response(EveningShape(with_answers(evening), context={"request": request}).data, status=status)
