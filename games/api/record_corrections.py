"""Correcting rejected records of an upload, and removing them."""

from io import BytesIO
from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiRequest, extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.idempotency import KEY, once_a_key
from games.api.parsers import Unread
from games.api.queries import asked
from games.api.serializers import AcceptedShape, ErrorShape
from games.api.views import accepted, account_of
from games.lookup import signed_in, upload_or_404
from games.models import Upload
from games.records.reads.games import find_log
from games.uploads.corrected import correct, corrected_origin
from games.uploads.removal import remove_rejected, restore_removed
from games.uploads.source import Source


class CorrectionQuery(serializers.Serializer[Any]):
    """How a corrected record is uploaded."""

    publish = serializers.BooleanField(
        default=False, help_text="Whether a record that was only checked is published now."
    )


class UploadLogCorrectionView(APIView):
    """The correction of a rejected record."""

    throttle_scope = "upload"
    parser_classes = [Unread]

    @extend_schema(
        parameters=[CorrectionQuery, KEY],
        request={
            "text/plain": OpenApiRequest(OpenApiTypes.STR),
            "application/json": OpenApiRequest(OpenApiTypes.OBJECT),
        },
        responses={
            **dict.fromkeys((200, 202), AcceptedShape),
            **dict.fromkeys((400, 401, 404, 409, 422), ErrorShape),
        },
    )
    @once_a_key(content_of=lambda request: _sent(request).digest())
    def post(self, request: Request, pk: UUID, number: int) -> Response:
        """Upload the corrected text of a rejected record, with the options of its upload. The text must be legal.

        If the account uploaded the rejected record, too, the two are linked, and the upload counts one more as
        `corrected`. The same text again is the same upload (200, `duplicate`).
        """
        upload = upload_or_404(request, pk)
        log = find_log(pk, number, request.user)
        if log is None:
            raise Http404
        publish = asked(CorrectionQuery, request)["publish"]
        origin = corrected_origin(upload, account_of(request), via=Upload.Via.API, publish=publish)
        return accepted(request, correct(log, _sent(request).head, origin, now=timezone.now()))


def _sent(request: Request) -> Source:
    """Return the body, which is read only once."""
    source: Source | None = getattr(request, "uploaded", None)
    if source is None:
        source = request.uploaded = Source(request.stream or BytesIO(), int(request.META.get("CONTENT_LENGTH") or 0))  # type: ignore[attr-defined] # ours
    return source


class RemovedShape(serializers.Serializer[Any]):
    """What was removed."""

    removed = serializers.IntegerField(help_text="How many records were removed.")


class RemoveRejectedView(APIView):
    """Remove the rejected records of an upload."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=None, responses={200: RemovedShape, **dict.fromkeys((401, 403, 404, 409), ErrorShape)})
    def post(self, request: Request, pk: UUID) -> Response:
        """Remove the rejected records of your own upload that are not corrected from its report and from all lists.

        They can be brought back (`restore-removed`). While some records have no verdict yet, nothing is removed (409).
        """
        removed = remove_rejected(upload_or_404(request, pk), signed_in(request), now=timezone.now())
        return Response({"removed": removed})


class RestoredShape(serializers.Serializer[Any]):
    """What was brought back."""

    restored = serializers.IntegerField(help_text="How many records were brought back.")


class RestoreRemovedView(APIView):
    """Bring the removed records of an upload back."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=None, responses={200: RestoredShape, **dict.fromkeys((401, 403, 404, 409), ErrorShape)})
    def post(self, request: Request, pk: UUID) -> Response:
        """Bring the removed records of your own upload back, as they were."""
        restored = restore_removed(upload_or_404(request, pk), signed_in(request), now=timezone.now())
        return Response({"restored": restored})
