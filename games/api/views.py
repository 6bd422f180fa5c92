"""The API's views. A view reads the request, makes one call, and answers."""

from io import BytesIO
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.http import Http404, HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiRequest, extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from engine.replay import Replay
from engine.verify import REJECTED
from engine.words import marked
from games import tasks
from games.api import serializers as shapes
from games.api.base import APIView
from games.api.facts import UploadResultShape
from games.api.idempotency import KEY, once_a_key
from games.api.parsers import Form, Unread
from games.api.queries import FromQuery, asked
from games.api.upload_options import FORM, OptionsQuery, is_form, media_type_of, options_of
from games.lookup import game_or_404, upload_or_404
from games.models import Upload
from games.platform.freshness import stays_fresh
from games.platform.parameters import ParameterError
from games.platform.repeatable_read import repeatable_read
from games.records.reads import games, recranks, replays
from games.records.reads.replays import AT_ONCE
from games.uploads.options import FILE, refuse_options_in
from games.uploads.origin import Origin
from games.uploads.reads import progress
from games.uploads.source import Source, source_of
from games.uploads.submit import Submission, submit

PAGE = 100
"""Rows in one answer."""

_ERRORS = {400: shapes.ErrorShape, 404: shapes.ErrorShape}
_BYTES = (200, "application/octet-stream")


def account_of(request: Request) -> AbstractBaseUser | None:
    """Return the account of a request; None without one."""
    return request.user if request.user.is_authenticated else None


def _source(request: Request) -> Source:
    """Return what was sent; the body is read only once."""
    source: Source | None = getattr(request, "uploaded", None)
    if source is None:
        source = request.uploaded = _source_of(request)  # type: ignore[attr-defined] # ours
    return source


def _source_of(request: Request) -> Source:
    if not is_form(request):
        source = Source(request.stream or BytesIO(), int(request.META.get("CONTENT_LENGTH") or 0))
        refuse_options_in(source.head, media_type_of(request), more=not source.is_whole)
        return source
    files = request.FILES.getlist(FILE)
    if not files:
        raise ParameterError(FILE, marked("The form has no file with this name."))
    return source_of(files)


def _content(request: Request) -> str:
    """Return what distinguishes one upload from another: the options, and the file's name and bytes."""
    source = _source(request)
    return repr((options_of(request), source.filename, source.size, source.digest()))


class UploadsView(APIView):
    """Upload a file of games."""

    throttle_scope = "upload"
    parser_classes = [Form, Unread]

    @extend_schema(
        parameters=[OptionsQuery, KEY],
        request={
            "text/plain": OpenApiRequest(OpenApiTypes.STR),
            "application/json": OpenApiRequest(OpenApiTypes.OBJECT),
            "application/x-ndjson": OpenApiRequest(OpenApiTypes.STR),
            "multipart/form-data": OpenApiRequest(FORM),
        },
        responses={
            **dict.fromkeys((200, 202), shapes.AcceptedShape),
            **dict.fromkeys((400, 401, 403, 409, 413, 422), shapes.ErrorShape),
        },
    )
    @once_a_key(content_of=_content)
    def post(self, request: Request) -> Response:
        """Upload a file in AGN, text or JSON, with any number of games. The answer gives the address of the results.

        The file may be plain, or compressed with gzip, zstd or zip, up to 64 MiB; send larger ones in pieces (`files`).
        A form may have several files in fields named `file`: they become one upload, whose report names them.
        A file that is compressed or has more than 8 MiB, 200,000 lines or 2,000 games is split in the background, so
        its number of games is not known at once. A game may have at most 256 KiB and 5,000 actions.

        The same file with the same options is stored once. If you send it again, you get the existing upload (200,
        `duplicate`).
        """
        origin = Origin(Upload.Via.API, account_of(request), options_of(request))
        return accepted(request, submit(_source(request), origin, now=timezone.now()))


def accepted(request: Request, submission: Submission) -> Response:
    """Return the answer to an upload that was accepted."""
    transaction.on_commit(tasks.wake_workers)
    upload = submission.upload
    games = None if upload.state in Upload.UNSPLIT else upload.split_logs
    body = _with(upload, games=games, duplicate=submission.again)
    answer = shapes.AcceptedShape(body, context={"request": request}).data
    code = status.HTTP_200_OK if submission.again else status.HTTP_202_ACCEPTED
    return Response(answer, status=code, headers={"Location": answer["url"]})


def _with(thing: Any, **more: Any) -> Any:  # noqa: ANN401 (whatever is to be shown)
    for name, value in more.items():
        setattr(thing, name, value)
    return thing


class UploadView(APIView):
    """The results of an upload."""

    @extend_schema(parameters=[FromQuery], responses={200: UploadResultShape, **_ERRORS})
    @repeatable_read()
    def get(self, request: Request, pk: UUID) -> Response:
        """Return the results of an upload, 100 at a time: `start` is the number of the last one seen."""
        upload = upload_or_404(request, pk)
        results = games.results_of(upload, request.user, after=asked(FromQuery, request)["start"], size=PAGE)
        address = reverse("api-upload", [pk], request=request)
        following = f"{address}?start={results[-1].number}" if len(results) == PAGE else None
        whole = _with(upload, progress=progress.progress_of(upload, request.user), results=results, next=following)
        return Response(UploadResultShape(whole, context={"request": request}).data)


class UploadLogView(APIView):
    """One record of an upload."""

    @extend_schema(responses={_BYTES: OpenApiTypes.BINARY, **_ERRORS})
    def get(self, request: Request, pk: UUID, number: int) -> HttpResponse:
        """Return the original bytes of a record."""
        log = games.find_log(pk, number, request.user)
        if log is None:
            raise Http404
        return _file(bytes(log.data), f"{pk}-{number}.{_SUFFIX[log.form]}", "application/octet-stream")


_SUFFIX = {"json": "json", "text": "agn"}


class GameView(APIView):
    """A game."""

    @extend_schema(responses={200: shapes.GameDetailShape, **_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return a game, and the addresses of its parts."""
        game = game_or_404(request, key)
        log = replays.first_log(game, request.user)
        played = game.verdict != REJECTED or replays.replay_of(log).replay is not None
        names = replays.parts_of(game, played=played)
        parts = {name: reverse(f"api-game-{name}", [game.key], request=request) for name in names}
        whole = _with(game, verdict_history=list(log.verdicts.order_by("-pk")), parts=parts)
        return Response(shapes.GameDetailShape(whole, context={"request": request}).data)


class GameLogView(APIView):
    """A game's log as it was uploaded."""

    @extend_schema(responses={_BYTES: OpenApiTypes.BINARY, **_ERRORS})
    def get(self, request: Request, key: str) -> HttpResponse:
        """Return the bytes of the record with which the game was first uploaded."""
        log = replays.first_log(game_or_404(request, key), request.user)
        return _file(bytes(log.data), f"{key}.{_SUFFIX[log.form]}", "application/octet-stream")


class GameCanonicalView(APIView):
    """A game's canonical text."""

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR, **_ERRORS})
    def get(self, request: Request, key: str) -> HttpResponse:
        """Return the canonical text of a game that was not rejected."""
        log = replays.first_log(game_or_404(request, key), request.user)
        if not log.text:
            raise Http404
        return _file(log.text.encode(), f"{key}.agn", "text/plain; charset=utf-8")


def _file(data: bytes, name: str, content_type: str) -> HttpResponse:
    return HttpResponse(
        data, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


class GameRecordView(APIView):
    """A game in JSON."""

    @extend_schema(responses={200: OpenApiTypes.OBJECT, **_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return the JSON form of a game that was not rejected."""
        played, fault = _replay(request, key)
        if fault:
            raise Http404
        return Response(played.as_json())


class GameRecranksView(APIView):
    """A game's result for rating sites."""

    @extend_schema(responses={200: OpenApiTypes.OBJECT, 409: shapes.ErrorShape, **_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return a finished game in the shape of AbstractPlay's recranks; an unfinished game has none (409).

        `site` is the host name of this site; players have this site's ids, and the game's id is its key.
        """
        site = urlsplit(settings.SITE_URL).netloc
        body = recranks.recranks_of(game_or_404(request, key), request.user, site=site, now=timezone.now())
        return Response(body)


def _replay(request: Request, key: str) -> tuple[Replay[Any, Any], bool]:
    found = replays.replay_of(replays.first_log(game_or_404(request, key), request.user))
    if found.replay is None:
        raise Http404
    return found.replay, found.fault is not None


class GameStatesView(APIView):
    """A game's states."""

    @extend_schema(parameters=[FromQuery], responses={200: shapes.StatePageShape, **_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return the position before the first action and after each legal one, 100 at a time from ply `start` on."""
        played, _ = _replay(request, key)
        start = asked(FromQuery, request)["start"]
        states = [
            {"ply": ply, "token": played.actions[ply - 1] if ply else None, "state": played.ruleset.describe(state)}
            for ply, state in enumerate(played.states[start : start + AT_ONCE], start)
        ]
        return Response({"states": states, "next": _following(request, "states", key, start, len(played.states))})


class GameFramesView(APIView):
    """A game's pictures."""

    @extend_schema(parameters=[FromQuery], responses={200: shapes.FramePageShape, **_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return what a viewer draws, 100 plies at a time from ply `start` on: one frame whole, then the changes."""
        game = game_or_404(request, key)
        log = replays.first_log(game, request.user)
        played = replays.replay_of(log).replay
        if played is None:
            raise Http404
        start = asked(FromQuery, request)["start"]
        onward = _following(request, "frames", key, start, len(played.states))
        answer = Response({"frames": replays.frames_of(log, start), "next": onward})
        return answer if game.private else stays_fresh(answer)


def _following(request: Request, part: str, key: str, start: int, count: int) -> str | None:
    address = reverse(f"api-game-{part}", [key], request=request)
    return f"{address}?start={start + AT_ONCE}" if start + AT_ONCE < count else None


@extend_schema(exclude=True)
class UnknownView(APIView):
    """Addresses that do not exist, answered as JSON."""

    permission_classes = [AllowAny]

    def get(self, _request: Request, **_: object) -> Response:
        """Answer that there is nothing at this address."""
        raise Http404

    post = put = patch = delete = get
