"""Studies in the API: the public list, reading and writing them, and files of them."""

from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle

from engine.studying import MOST_NODES, Branch, tree_from_json
from games.api.base import APIView
from games.api.errors import shape
from games.api.exports import AnyAnswer
from games.api.idempotency import KEY, body_of, once_a_key
from games.api.parsers import Unread
from games.api.queries import FromQuery, asked, sent
from games.api.serializers import ErrorShape
from games.api.study_shapes import (
    ChapterBody,
    ChapterDetailShape,
    ConflictShape,
    FileQuery,
    ImportQuery,
    MoveBody,
    NewChapterBody,
    NewStudyBody,
    ReportBody,
    StudiesQuery,
    StudyBody,
    StudyDetailShape,
    StudyFollowingShape,
    StudyShape,
)
from games.lookup import chapter_or_404, game_or_404, signed_in, study_or_404
from games.models import Study, StudyChapter
from games.platform.long_answers import LongAnswer, download
from games.studies import importing, readers, writing
from games.studies.errors import ChangedMeanwhileError
from games.studies.reads.files import study_as_json, study_as_text
from games.studies.reads.studies import StudyFilter, is_followed, list_studies, own_studies, studies_followed
from games.studies.writing import About, NewChapter

PAGE = 50
"""Studies in one answer."""
_CREATED = 201
_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class StudiesAPIView(APIView):
    """The base of the views of studies: anybody may read, and changes are limited."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    throttle_scope = "study"

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the limit on changes to studies for a change, and the usual limits for reading."""
        throttles = super().get_throttles()
        if self.request.method not in SAFE_METHODS:
            return throttles
        return [throttle for throttle in throttles if not isinstance(throttle, ScopedRateThrottle)]


def _shown(request: Request, study: Study, *, status: int = 200) -> Response:
    data = StudyDetailShape(study, context={"request": request}).data
    return Response(data, status=status, headers={"Location": data["url"]} if status == _CREATED else {})


def _listed(request: Request, found: Any, name: str, start: int) -> Response:  # noqa: ANN401 (a query)
    """Answer with a page of studies; `Link` points to the next one."""
    rows: Any = found[start : start + PAGE + 1]
    query = request.query_params.copy()
    query["start"] = str(start + PAGE)
    following = f"{reverse(name, request=request)}?{query.urlencode()}"
    headers = {"Link": f'<{following}>; rel="next"'} if len(rows) > PAGE else {}
    return Response(StudyShape(rows[:PAGE], many=True, context={"request": request}).data, headers=headers)


def _chapter(request: Request, body: dict[str, Any]) -> NewChapter:
    """Return the chapter that a body describes. :raises StudyError: when it is not well formed."""
    if key := body.get("game"):
        branches = [Branch(one["ply"], one["play"], _comments(one["comments"])) for one in body.get("branches", [])]
        return writing.chapter_about(game_or_404(request, key), body["title"], branches, signed_in(request))
    return NewChapter(body["title"], tree_from_json(body))


def _comments(texts: dict[str, str]) -> dict[int, str]:
    """Return comments by their places, as numbers; what is no place of an action is left out."""
    return {int(at): text for at, text in texts.items() if at.isdecimal() and len(at) <= len(str(MOST_NODES))}


class StudiesView(StudiesAPIView):
    """The studies."""

    @extend_schema(parameters=[StudiesQuery], responses={200: StudyShape(many=True), 400: ErrorShape})
    def get(self, request: Request) -> Response:
        """List the public studies, last changed first, 50 at a time: `Link` points to the next page."""
        wanted = asked(StudiesQuery, request)
        start = wanted.pop("start")
        return _listed(request, list_studies(StudyFilter(**wanted), request.user), "api-studies", start)

    @extend_schema(
        request=NewStudyBody, parameters=[KEY], responses={201: StudyDetailShape, 422: ErrorShape, **_REFUSALS}
    )
    @once_a_key(content_of=body_of)
    def post(self, request: Request) -> Response:
        """Create a study. An illegal variation is refused: `place` has the rule, the node and its token."""
        body = sent(NewStudyBody, request)
        chapters = (_chapter(request, one) for one in body["chapters"])
        about = About(body["title"], body["visibility"])
        study = writing.create(about, chapters, by=signed_in(request), now=timezone.now())
        return _shown(request, study, status=_CREATED)


class AccountStudiesView(APIView):
    """The account's own studies."""

    permission_classes = [IsAuthenticated]

    @extend_schema(parameters=[FromQuery], responses={200: StudyShape(many=True), 401: ErrorShape})
    def get(self, request: Request) -> Response:
        """List the account's own studies, last changed first, 50 at a time."""
        return _listed(request, own_studies(request.user), "api-account-studies", asked(FromQuery, request)["start"])


class AccountStudiesFollowedView(APIView):
    """The studies that the account follows."""

    permission_classes = [IsAuthenticated]

    @extend_schema(parameters=[FromQuery], responses={200: StudyShape(many=True), 401: ErrorShape})
    def get(self, request: Request) -> Response:
        """List the studies that the account follows, last changed first, 50 at a time."""
        found = studies_followed(request.user)
        return _listed(request, found, "api-account-studies-followed", asked(FromQuery, request)["start"])


def _file(request: Request) -> bytes:
    """Return the file that was sent; the body is read only once."""
    file: bytes | None = getattr(request, "file", None)
    if file is None:
        file = request.stream.read(importing.MOST_BYTES + 1) if request.stream else b""
        request.file = file  # type: ignore[attr-defined] # ours
    return file


def _digest(request: Request) -> str:
    return sha256(_file(request)).hexdigest()


class StudyImportView(StudiesAPIView):
    """Importing a study."""

    parser_classes = [Unread]

    @extend_schema(
        parameters=[ImportQuery, KEY],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={201: StudyDetailShape, **_REFUSALS, **dict.fromkeys((413, 422), ErrorShape)},
    )
    @once_a_key(content_of=_digest)
    def post(self, request: Request) -> Response:
        """Create a study from a file, the body: AGN with variations, plain records, or a study as JSON; at most 4 MiB.

        Names of players are not kept. `place` of a refusal has the rule, the line and the column.
        """
        about = asked(ImportQuery, request)
        study = importing.import_file(_file(request), About(**about), by=signed_in(request), now=timezone.now())
        return _shown(request, study, status=_CREATED)


class StudyView(StudiesAPIView):
    """A study."""

    @extend_schema(responses={200: StudyDetailShape, 404: ErrorShape})
    def get(self, request: Request, key: str) -> Response:
        """Return a study and the list of its chapters."""
        return _shown(request, study_or_404(request, key))

    @extend_schema(request=StudyBody, responses={200: StudyDetailShape, **_REFUSALS})
    def put(self, request: Request, key: str) -> Response:
        """Change a study's title and who reads it, as its author; 409 when it has another version by now."""
        study, body = study_or_404(request, key), sent(StudyBody, request)
        about = About(body["title"], body["visibility"])
        changed = writing.describe(study, about, body["version"], by=signed_in(request), now=timezone.now())
        return _shown(request, changed)

    @extend_schema(responses={204: None, **_REFUSALS})
    def delete(self, request: Request, key: str) -> Response:
        """Delete a study, as its author. Forks stay."""
        writing.delete(study_or_404(request, key), by=signed_in(request))
        return Response(status=204)


class StudyChaptersView(StudiesAPIView):
    """The chapters of a study."""

    @extend_schema(request=NewChapterBody, responses={201: ChapterDetailShape, **_REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Add a chapter at the end, as the study's author."""
        study = study_or_404(request, key)
        made = _chapter(request, sent(NewChapterBody, request))
        [chapter] = writing.add_chapters(study, [made], by=signed_in(request), now=timezone.now())
        return _chapter_shown(request, chapter, status=_CREATED)


def _chapter_shown(request: Request, chapter: StudyChapter, *, status: int = 200) -> Response:
    data = ChapterDetailShape(chapter, context={"request": request}).data
    return Response(data, status=status, headers={"Location": data["url"]} if status == _CREATED else {})


class StudyChapterView(StudiesAPIView):
    """A chapter of a study."""

    @extend_schema(responses={200: ChapterDetailShape, 404: ErrorShape})
    def get(self, request: Request, key: str, number: str) -> Response:
        """Return a chapter with all its variations."""
        return _chapter_shown(request, chapter_or_404(request, key, number))

    @extend_schema(request=ChapterBody, responses={200: ChapterDetailShape, **(_REFUSALS | {409: ConflictShape})})
    def put(self, request: Request, key: str, number: str) -> Response:
        """Store a chapter's title and tree, as the study's author.

        An illegal variation is refused with its rule and place; 409 with both versions when there is another by now.
        """
        chapter, body = chapter_or_404(request, key, number), sent(ChapterBody, request)
        tree = tree_from_json({**body, "tags": {}})
        try:
            saved = writing.save_chapter(
                chapter, body["title"], tree, body["version"], by=signed_in(request), now=timezone.now()
            )
        except ChangedMeanwhileError as error:
            current = ChapterDetailShape(error.current, context={"request": request}).data
            both = {"current": current, "sent": request.data}
            return Response(shape(error.code, error.template) | both, status=409)
        return _chapter_shown(request, saved)

    @extend_schema(responses={204: None, **_REFUSALS})
    def delete(self, request: Request, key: str, number: str) -> Response:
        """Remove a chapter, as the study's author; the last one stays."""
        writing.remove_chapter(chapter_or_404(request, key, number), by=signed_in(request), now=timezone.now())
        return Response(status=204)


class StudyChapterMoveView(StudiesAPIView):
    """The place of a chapter."""

    @extend_schema(request=MoveBody, responses={200: StudyDetailShape, **_REFUSALS})
    def post(self, request: Request, key: str, number: str) -> Response:
        """Move a chapter one place up or down in the list, as the study's author."""
        chapter, body = chapter_or_404(request, key, number), sent(MoveBody, request)
        way = -1 if body["way"] == "up" else 1
        writing.move_chapter(chapter, way, by=signed_in(request), now=timezone.now())
        return _shown(request, study_or_404(request, key))


class StudyForkView(StudiesAPIView):
    """Copies of a study."""

    @extend_schema(request=None, responses={201: StudyDetailShape, 413: ErrorShape, **_REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Copy a study, as far as you see it, into a private one of your own; 413 when you have no room for it."""
        made = writing.fork(study_or_404(request, key), by=signed_in(request), now=timezone.now())
        return _shown(request, made, status=_CREATED)


class StudyFollowingView(StudiesAPIView):
    """Whether the account follows a study."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: StudyFollowingShape, **dict.fromkeys((401, 404), ErrorShape)})
    def get(self, request: Request, key: str) -> Response:
        """Return whether the account follows a study."""
        return Response({"following": is_followed(study_or_404(request, key), request.user)})

    @extend_schema(request=StudyFollowingShape, responses={200: StudyFollowingShape, **_REFUSALS})
    def put(self, request: Request, key: str) -> Response:
        """Follow a study, or stop following. An account can follow at most 500 studies."""
        study, account = study_or_404(request, key), signed_in(request)
        if sent(StudyFollowingShape, request)["following"]:
            readers.follow(study, account, now=timezone.now())
        else:
            readers.unfollow(study, account)
        return Response({"following": is_followed(study, account)})


class StudyReportView(StudiesAPIView):
    """Reports of a study."""

    throttle_scope = "report"

    @extend_schema(request=ReportBody, responses={204: None, **_REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Report a study to the moderators."""
        study, body = study_or_404(request, key), sent(ReportBody, request)
        readers.report(study, body["reason"], by=signed_in(request), now=timezone.now())
        return Response(status=204)


class StudyFileView(StudiesAPIView):
    """A study as a file."""

    content_negotiation_class = AnyAnswer

    @extend_schema(
        parameters=[FileQuery],
        responses={
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT,
            400: ErrorShape,
            404: ErrorShape,
        },
    )
    def get(self, request: Request, key: str) -> HttpResponse | LongAnswer:
        """Return a study as a file: AGN with variations, or JSON. Both can be imported again."""
        study, form = study_or_404(request, key), asked(FileQuery, request)["format"]
        named = {"Content-Disposition": f'attachment; filename="atta-study-{study.key}.{form}"'}
        if form == "json":
            written, named["Content-Type"] = study_as_json(study, request.user), "application/json"
        else:
            written, named["Content-Type"] = study_as_text(study, request.user), "text/plain; charset=utf-8"
        return download(written, named, gzip=False)
