"""Files sent in pieces by the tus protocol 1.0.0: when a connection breaks, no byte that arrived is lost."""

from base64 import b64decode
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404
from django.http.request import UnreadablePostError
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.http import http_date
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, extend_schema
from rest_framework import exceptions, status
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from engine.words import marked
from games import tasks
from games.api import serializers as shapes
from games.api.base import APIView
from games.api.errors import shape
from games.api.idempotency import KEY, once_a_key
from games.api.parsers import Unread, refuse_what_is_not_text
from games.api.upload_options import OptionsQuery, options_and_texts_of
from games.models import Archive, Upload
from games.platform.parameters import ParameterError
from games.platform.plain_text import fault_in
from games.uploads import controls, files
from games.uploads.options import NAMES
from games.uploads.origin import Origin, UploadOptions
from games.uploads.reads.progress import find_file

_VERSION = "1.0.0"
_EXTENSIONS = "creation,creation-with-upload,termination,checksum,expiration"
_PIECE = "application/offset+octet-stream"
_MISMATCH = 460
"""The protocol's own status for a piece that is not what its checksum says."""

_ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 412, 413, 415), shapes.ErrorShape)


def _header(name: str, about: str, kind: type = str, *, required: bool = True) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.HEADER, description=about, required=required)


_RESUMABLE = OpenApiParameter("Tus-Resumable", str, OpenApiParameter.HEADER, enum=[_VERSION], required=True)


class NoSuchVersionError(exceptions.APIException):
    """The request names another version of the protocol."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "version"


class Tus(APIView):
    """The base of the protocol's views."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    parser_classes = [Unread]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 (the framework's own)
        """Refuse requests that do not follow the protocol."""
        super().initial(request, *args, **kwargs)
        knows = request.method != "OPTIONS" and hasattr(self, str(request.method).lower())
        version = request.headers.get("Tus-Resumable")
        if knows and not version:
            raise exceptions.ParseError(gettext("Send Tus-Resumable: 1.0.0, the only supported version."))
        if knows and version != _VERSION:
            raise NoSuchVersionError(gettext("Send Tus-Resumable: 1.0.0, the only supported version."))

    def finalize_response(
        self,
        request: Request,
        response: Response,
        *args: Any,  # noqa: ANN401
        **kwargs: Any,  # noqa: ANN401
    ) -> Response:
        """Add the protocol's version to the answer."""
        response["Tus-Resumable"] = _VERSION
        response["Tus-Version"] = _VERSION
        return super().finalize_response(request, response, *args, **kwargs)

    def handle_exception(self, error: Exception) -> Response:
        """Answer an error about a piece."""
        if isinstance(error, files.MisplacedError):
            said = marked("The next bytes of this file begin at {expected}.")
            body = shape("offset", said, {"expected": error.expected})
            return Response(body, status=status.HTTP_409_CONFLICT, headers={"Upload-Offset": str(error.expected)})
        if isinstance(error, files.CorruptedError):
            said = marked("The bytes do not match their checksum. None of them was stored.")
            return Response(shape("checksum", said), status=_MISMATCH)
        return super().handle_exception(error)

    @extend_schema(exclude=True)
    def options(self, *_: object, **__: object) -> Response:
        """Return the supported protocol version and extensions."""
        headers = {
            "Tus-Extension": _EXTENSIONS,
            "Tus-Max-Size": str(settings.UPLOAD_MAX_BYTES),
            "Tus-Checksum-Algorithm": ",".join(files.CHECKSUMS),
        }
        return Response(status=status.HTTP_204_NO_CONTENT, headers=headers)


def _content(request: Request) -> str:
    """Return what identifies a repeated request to begin a file, before any of the file has arrived.

    It does not depend on the bytes in this request: if the connection breaks, the same request continues with what has
    arrived.
    """
    return repr([request.headers.get(name) for name in ("Upload-Length", "Upload-Metadata")])


class FilesView(Tus):
    """Files to send in pieces."""

    throttle_scope = "upload"

    @extend_schema(
        parameters=[
            _RESUMABLE,
            _header("Upload-Length", "Bytes of the whole file.", int),
            _header(
                "Upload-Metadata",
                f"filename, {', '.join(NAMES)}, fingerprint (to find the file again).",
                required=False,
            ),
            OptionsQuery,
            KEY,
        ],
        request={_PIECE: OpenApiRequest(OpenApiTypes.BINARY)},
        responses={201: shapes.UploadShape, **_ERRORS, 422: shapes.ErrorShape},
    )
    @once_a_key(content_of=_content)
    def post(self, request: Request) -> Response:
        """Begin a file that is sent in pieces, and return its address; the first piece may be included.

        The file's address ends with the id of the upload, under which its results can be found, too.
        """
        length, options, metadata = _begun_as(request)
        account = _account(request)
        by_page = isinstance(request.successful_authenticator, SessionAuthentication)
        via = Upload.Via.WEB if by_page else Upload.Via.API
        name, mark = metadata.get("filename", ""), metadata.get("fingerprint", "")
        upload = files.begin(length, Origin(via, account, options), now=timezone.now(), filename=name, mark=mark)
        offset = _append_first(request, upload) if request.content_type == _PIECE else 0
        upload.refresh_from_db()
        body = shapes.UploadShape(upload, context={"request": request}).data
        where = reverse("api-upload-file", [upload.pk], request=request)
        headers = {"Location": where, "Upload-Offset": str(offset), "Upload-Expires": _expires()}
        return Response(body, status=status.HTTP_201_CREATED, headers=headers)


class FileView(Tus):
    """A file that is sent in pieces."""

    @extend_schema(parameters=[_RESUMABLE], responses={200: None, **_ERRORS})
    def head(self, request: Request, pk: UUID) -> Response:
        """Return in headers how much of a file has arrived."""
        archive = _find(request, pk)
        return Response(headers={
            "Upload-Offset": str(archive.received), "Upload-Length": str(archive.length), "Cache-Control": "no-store",
        })  # fmt: skip

    @extend_schema(
        parameters=[
            _RESUMABLE,
            _header("Upload-Offset", "Where in the file the bytes belong.", int),
            _header("Upload-Checksum", "sha1 or sha256, and the checksum in base64.", required=False),
        ],
        request={_PIECE: OpenApiRequest(OpenApiTypes.BINARY)},
        responses={204: None, **_ERRORS, _MISMATCH: shapes.ErrorShape},
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Add the next bytes of a file; if the connection breaks, what arrived is kept."""
        if request.content_type != _PIECE:
            raise exceptions.UnsupportedMediaType(request.content_type)
        offset, archive = _number(request, "Upload-Offset"), _find(request, pk)
        headers = {"Upload-Offset": str(_append(request, archive, offset)), "Upload-Expires": _expires()}
        return Response(status=status.HTTP_204_NO_CONTENT, headers=headers)

    @extend_schema(parameters=[_RESUMABLE], responses={204: None, **_ERRORS})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Cancel an upload: received bytes are deleted, and waiting records are not verified."""
        controls.cancel(_find(request, pk).upload, now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


def _account(request: Request) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - for the types; other requests are refused before
    return request.user


def _find(request: Request, pk: UUID) -> Archive:
    try:
        return find_file(pk, request.user.pk or 0)
    except Archive.DoesNotExist:
        raise Http404 from None


def _number(request: Request, name: str) -> int:
    value = request.headers.get(name, "")
    if not (value.isascii() and value.isdecimal() and len(value) < 16):  # noqa: PLR2004 (a petabyte)
        raise ParameterError(name, marked("The header {name} must be a number of bytes."), name=name)
    return int(value)


def _begun_as(request: Request) -> tuple[int, UploadOptions, dict[str, str]]:
    """Return a file's size, its options and its metadata.

    :raises UnsupportedMediaType: when the body is not a piece of the file: options in a form would be lost.
    """
    if int(request.META.get("CONTENT_LENGTH") or 0) and request.content_type != _PIECE:
        raise exceptions.UnsupportedMediaType(request.content_type)
    length = _number(request, "Upload-Length")
    return length, *options_and_texts_of(request, _metadata(request.headers.get("Upload-Metadata", "")))


def _metadata(header: str) -> MultiValueDict[str, str]:
    """Return names with their decoded values, which are sent in base64."""
    sent = MultiValueDict[str, str]()
    for pair in filter(None, map(str.strip, header.split(","))):
        name, _, value = pair.partition(" ")
        sent.appendlist(name, _decoded(value))
    return sent


def _decoded(value: str) -> str:
    try:
        text = b64decode(value, validate=True).decode()
    except ValueError:
        said = marked("Every value of Upload-Metadata must be UTF-8 in base64.")
        raise ParameterError("Upload-Metadata", said) from None
    refuse_what_is_not_text(fault_in(text, "Upload-Metadata"))
    return text


def _append(request: Request, archive: Archive, offset: int) -> int:
    """Add the request's bytes, as many as arrive. :returns: the new offset."""
    size = int(request.META.get("CONTENT_LENGTH") or 0)
    if offset + size > archive.length:
        raise files.MisplacedError(archive.received)
    body, now = _Body(request), timezone.now()
    if "Upload-Checksum" in request.headers:
        end = files.append_checked(archive.pk, offset, body, size, _checksum(request), now=now)
    elif size or offset == archive.received:
        end = files.append(archive.pk, offset, body, size, now=now)
    else:
        raise files.MisplacedError(archive.received)
    if end == archive.length:
        transaction.on_commit(tasks.wake_workers)
    return end


def _append_first(request: Request, upload: Upload) -> int:
    """Add the bytes in this request; if they are refused, the upload is not begun."""
    try:
        return _append(request, upload.archive, 0)
    except (files.MisplacedError, files.CorruptedError):
        upload.delete()
        raise


class _Body:
    """A request's bytes; they end when the connection breaks."""

    def __init__(self, request: Request) -> None:
        self._stream = request.stream

    def read(self, size: int, /) -> bytes:
        """Return some of them."""
        try:
            return bytes(self._stream.read(size)) if self._stream else b""
        except UnreadablePostError:
            return b""


def _checksum(request: Request) -> tuple[str, bytes]:
    kind, _, value = request.headers["Upload-Checksum"].partition(" ")
    if kind not in files.CHECKSUMS:
        said, kinds = marked("Unknown checksum algorithm. Use one of: {kinds}."), ", ".join(files.CHECKSUMS)
        raise ParameterError("Upload-Checksum", said, kinds=kinds)
    try:
        return kind, b64decode(value, validate=True)
    except ValueError:
        raise ParameterError("Upload-Checksum", marked("The checksum must be in base64.")) from None


def _expires() -> str:
    return http_date((timezone.now() + timedelta(hours=settings.UPLOAD_PATIENCE)).timestamp())
