"""The one shape of an error: `{"error": {"code", "message", "place"}}`."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from engine.recranks import RecranksError
from games.selectors.paging import CursorError
from games.services.refusals import RefusedError

_STATUS_OF_REFUSAL = {"too_large": status.HTTP_413_REQUEST_ENTITY_TOO_LARGE}


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answers an error in the one shape; none for what is no error of the request."""
    if isinstance(error, RefusedError):
        code = _STATUS_OF_REFUSAL.get(error.code, status.HTTP_400_BAD_REQUEST)
        return Response(shape(error.code, str(error)), status=code)
    if isinstance(error, CursorError):
        return Response(shape("bad_mark", str(error), {"parameter": "before, after"}), status=400)
    if isinstance(error, RecranksError):
        return Response(shape(error.code, str(error)), status=status.HTTP_409_CONFLICT)
    response = exception_handler(error, context)
    if response is not None:
        response.data = _of(error)
    return response


def shape(code: str, message: str, place: dict[str, Any] | None = None) -> dict[str, Any]:
    """An error as it is sent: a code for programs, a sentence for people, and where in the request the fault is."""
    return {"error": {"code": code, "message": message, "place": place}}


def _of(error: Exception) -> dict[str, Any]:
    if isinstance(error, Http404):
        return shape("not_found", "There is nothing at this address.")
    if isinstance(error, PermissionDenied):
        return shape("permission_denied", "You may not do this.")
    if isinstance(error, exceptions.ValidationError) and isinstance(error.detail, dict):
        field, faults = next(iter(error.detail.items()))
        first = faults[0] if isinstance(faults, list) else faults
        return shape("invalid", str(first), {"parameter": field})
    if isinstance(error, exceptions.APIException):
        codes = error.get_codes()
        return shape(codes if isinstance(codes, str) else "invalid", _sentence(error.detail))
    return shape("error", "The request failed.")


def _sentence(detail: Any) -> str:  # noqa: ANN401 (DRF nests strings in lists and objects as it likes)
    if isinstance(detail, dict):
        return _sentence(next(iter(detail.values()), ""))
    if isinstance(detail, list):
        return _sentence(detail[0]) if detail else ""
    return str(detail)
