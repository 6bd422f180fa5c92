"""Controls of an upload in the API: pause, resume, cancel, retry."""

from datetime import datetime
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games import tasks
from games.api import serializers as shapes
from games.api.base import APIView
from games.lookup import upload_or_404
from games.models import Upload
from games.uploads import controls

_REFUSALS = dict.fromkeys((401, 403, 404, 409), shapes.ErrorShape)


class _Act(APIView):
    """The base of the views that control an upload, for its uploader."""

    permission_classes = [IsAuthenticated]

    def _done(self, request: Request, pk: UUID) -> Response:
        upload = upload_or_404(request, pk)
        if not controls.may_control(upload, request.user):
            raise PermissionDenied
        self.act(upload, timezone.now())
        tasks.wake_workers()
        found = Upload.objects.filter(pk=pk).first()
        if found is None:
            return Response(status=204)
        return Response(shapes.UploadShape(found, context={"request": request}).data)

    def act(self, upload: Upload, now: datetime) -> None:
        """Carry the action out."""
        raise NotImplementedError


class PauseView(_Act):
    """Pause an upload."""

    @extend_schema(request=None, responses={200: shapes.UploadShape, **_REFUSALS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Pause splitting and verifying an upload until it is resumed; records in progress are finished."""
        return self._done(request, pk)

    def act(self, upload: Upload, now: datetime) -> None:  # noqa: ARG002 (others need it)
        """Carry the action out."""
        controls.pause(upload)


class ResumeView(_Act):
    """Resume an upload."""

    @extend_schema(request=None, responses={200: shapes.UploadShape, **_REFUSALS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Resume a paused upload."""
        return self._done(request, pk)

    def act(self, upload: Upload, now: datetime) -> None:  # noqa: ARG002
        """Carry the action out."""
        controls.resume(upload)


class CancelView(_Act):
    """Cancel an upload."""

    @extend_schema(request=None, responses={200: shapes.UploadShape, 204: None, **_REFUSALS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Cancel an upload for good; earlier results stay.

        An incomplete file is deleted, and the answer is empty (204).
        """
        return self._done(request, pk)

    def act(self, upload: Upload, now: datetime) -> None:
        """Carry the action out."""
        controls.cancel(upload, now=now)


class RetryView(_Act):
    """Retry an upload."""

    @extend_schema(request=None, responses={200: shapes.UploadShape, **_REFUSALS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Retry records that were set aside, or unpacking that was interrupted."""
        return self._done(request, pk)

    def act(self, upload: Upload, now: datetime) -> None:
        """Carry the action out."""
        controls.retry(upload, now=now)
