"""What waits for moderators, and their decisions about reports, disputes and alarms."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status, views
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.claims import ClaimDetailShape
from games.api.lists import listed
from games.api.moderation_shapes import (
    ActPageShape,
    AlarmShape,
    ClubToReviewShape,
    ContestedGameShape,
    OpenDisputeShape,
    QueueShape,
    ReportedCollectionShape,
    ReportedCommentShape,
    ReportedStudyShape,
    RulingBody,
)
from games.api.queries import FromQuery, MarkQuery, asked, sent
from games.api.serializers import ErrorShape
from games.clubs.reads.clubs import with_games
from games.lookup import collection_or_404, signed_in, study_or_404
from games.models import GameComment, TableAlarm
from games.moderation.decisions import Decision
from games.moderation.reads.cases import acts
from games.moderation.reads.pending import cases_for
from games.moderation.reads.reported import with_open_reports
from games.moderation.reported import Ruling, decide
from games.platform.paging import Span
from games.platform.reports import Reported
from games.platform.roles import is_moderator
from games.players.reads.own_names import claim_versions
from games.playing.finishing import settle_alarm
from games.playing.reads.alarms import open_alarms

READ_ERRORS = dict.fromkeys((400, 401, 403, 404), ErrorShape)
REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class IsModerator(BasePermission):
    """Admits moderators alone."""

    def has_permission(self, request: Request, view: views.APIView) -> bool:  # noqa: ARG002 - the framework's names
        """Return whether the account moderates."""
        return is_moderator(request.user)


class ModeratorsView(APIView):
    """The base of what moderators read and decide."""

    permission_classes = [IsModerator]


class ModerationView(ModeratorsView):
    """All that waits."""

    @extend_schema(responses={200: QueueShape, **dict.fromkeys((401, 403), ErrorShape)})
    def get(self, request: Request) -> Response:
        """Return how many cases of each kind wait for the account, as a moderator.

        What you wrote or reported yourself, and clubs of which you are a member, are left to other moderators.
        """
        return Response({kind: found.count() for kind, found in cases_for(signed_in(request)).items()})


def _waiting(request: Request, kind: str, shape: type[serializers.BaseSerializer[Any]]) -> Response:
    return listed(request, cases_for(signed_in(request))[kind], shape)


class DisputesView(ModeratorsView):
    """Open disputes."""

    @extend_schema(parameters=[FromQuery], responses={200: OpenDisputeShape(many=True), **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """List the open disputes, longest waiting first, 100 at a time; `Link` points to the next page."""
        return _waiting(request, "disputes", OpenDisputeShape)


class OpenClaimsView(ModeratorsView):
    """Open claims."""

    @extend_schema(parameters=[FromQuery], responses={200: ClaimDetailShape(many=True), **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """List the open claims, longest waiting first, 100 at a time; decide by `/api/v1/claims/{id}/decision`."""
        claims = cases_for(signed_in(request))["claims"]
        return listed(request, claims, ClaimDetailShape, lambda found: {"versions": claim_versions(found)})


class ContestedGamesView(ModeratorsView):
    """Games for whose moves uploads name different players."""

    @extend_schema(parameters=[FromQuery], responses={200: ContestedGameShape(many=True), **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """List the games for whose moves uploads name different players, longest waiting first, 100 at a time."""
        return _waiting(request, "seatings", ContestedGameShape)


class ClubsToReviewView(ModeratorsView):
    """Clubs to review."""

    @extend_schema(parameters=[FromQuery], responses={200: ClubToReviewShape(many=True), **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """List the clubs that ask to be listed and of which you are no member, longest waiting first, 100 at a time."""
        return listed(request, with_games(cases_for(signed_in(request))["clubs"]), ClubToReviewShape)


class ReportedCommentsView(ModeratorsView):
    """Reported comments."""

    @extend_schema(parameters=[FromQuery], responses={200: ReportedCommentShape(many=True), **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """List the reported comments, longest waiting first, 100 at a time; none that you wrote or reported."""
        return _waiting(request, "comments", ReportedCommentShape)


class ReportedStudiesView(ModeratorsView):
    """Reported studies."""

    @extend_schema(parameters=[FromQuery], responses={200: ReportedStudyShape(many=True), **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """List the reported studies, longest waiting first, 100 at a time; none that you wrote or reported."""
        return _waiting(request, "studies", ReportedStudyShape)


class ReportedCollectionsView(ModeratorsView):
    """Reported collections."""

    @extend_schema(parameters=[FromQuery], responses={200: ReportedCollectionShape(many=True), **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """List the reported collections, longest waiting first, 100 at a time; none that you made or reported."""
        return _waiting(request, "collections", ReportedCollectionShape)


def _decided(request: Request, found: Reported, shape: type[serializers.Serializer[Any]]) -> Response:
    wanted = sent(RulingBody, request)
    ruling = Ruling(hide=wanted["hide"], version=wanted["version"])
    decide(found, ruling, Decision(signed_in(request), timezone.now(), wanted["reason"]))
    after: QuerySet[Any] = type(found)._default_manager.filter(pk=found.pk)  # noqa: SLF001
    return Response(shape(with_open_reports(after).get(), context={"request": request}).data)


class CommentDecisionView(ModeratorsView):
    """The decision about a comment."""

    @extend_schema(request=RulingBody, responses={200: ReportedCommentShape, **REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Hide a comment or show it again, and settle all open reports of it."""
        return _decided(request, get_object_or_404(GameComment, pk=int(pk)), ReportedCommentShape)


class StudyDecisionView(ModeratorsView):
    """The decision about a study."""

    @extend_schema(request=RulingBody, responses={200: ReportedStudyShape, **REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Hide a study or show it again, and settle all open reports of it."""
        return _decided(request, study_or_404(request, key), ReportedStudyShape)


class CollectionDecisionView(ModeratorsView):
    """The decision about a collection."""

    @extend_schema(request=RulingBody, responses={200: ReportedCollectionShape, **REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Hide a collection or show it again, and settle all open reports of it."""
        return _decided(request, collection_or_404(request, key), ReportedCollectionShape)


class AlarmsView(ModeratorsView):
    """Open alarms."""

    @extend_schema(responses={200: AlarmShape(many=True), **dict.fromkeys((401, 403), ErrorShape)})
    def get(self, _: Request) -> Response:
        """List the 100 newest open alarms about games that were played here."""
        found: Any = open_alarms()
        return Response(AlarmShape(found, many=True).data)


class AlarmClosingView(ModeratorsView):
    """Close an alarm."""

    @extend_schema(request=None, responses={204: None, **dict.fromkeys((401, 403, 404), ErrorShape)})
    def post(self, request: Request, pk: str) -> Response:
        """Close an alarm that you have looked into; closing it again changes nothing."""
        found = TableAlarm.objects.filter(pk=int(pk)).first()
        if found is None:
            raise Http404
        settle_alarm(found, by=signed_in(request).pk, now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class ModerationLogView(ModeratorsView):
    """What was decided."""

    @extend_schema(parameters=[MarkQuery], responses={200: ActPageShape, **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """List what moderators and the operator decided, newest first, 50 at a time."""
        page = acts(Span(**asked(MarkQuery, request)))
        return Response(ActPageShape({"acts": page.rows, "newer": page.newer, "older": page.older}).data)
