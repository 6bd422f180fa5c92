"""The one shape of an error: `{"error": {"code", "message", "template", "params", "place"}}`."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from engine.recranks import RecranksError
from engine.studying import StudyError, TooLongError
from engine.words import marked, params_json, render
from games.platform.errors import RefusedError
from games.platform.paging import CursorError
from games.sentences import translated

_STATUS_OF_REFUSAL = {
    **dict.fromkeys(("too_many_films", "no_film"), status.HTTP_409_CONFLICT),
    **dict.fromkeys(("too_many_collections", "collection_full", "favourites"), status.HTTP_409_CONFLICT),
    "too_large": status.HTTP_413_REQUEST_ENTITY_TOO_LARGE,
    **dict.fromkeys(
        (
            "not_invited",
            "opener_first",
            "not_organiser",
            "not_owner",
            "not_seated",
            "not_allowed",
            "not_yours",
            "not_uploader",
            "not_named",
        ),
        status.HTTP_403_FORBIDDEN,
    ),
    **dict.fromkeys(
        ("own_case", "rival", "circle", "other_name"),
        status.HTTP_403_FORBIDDEN,
    ),
    # What the current state of a game, a claim or a name does not allow, answered with 409.
    **dict.fromkeys(
        (
            "unfinished",
            "rejected",
            "under_way",
            "training",
            "private",
            "counted",
            "not_confirmed",
            "disputed",
            "closed",
        ),
        status.HTTP_409_CONFLICT,
    ),
    **dict.fromkeys(
        (
            "asked",
            "pseudonym",
            "taken",
            "merged",
            "not_public",
            "decided",
            "not_approved",
            "others_uploaded",
            "counts",
            "confirmed",
        ),
        status.HTTP_409_CONFLICT,
    ),
    **dict.fromkeys(("public_already", "contested", "settled"), status.HTTP_409_CONFLICT),
    **dict.fromkeys(("own_player", "too_many_followed"), status.HTTP_409_CONFLICT),
    # The same for moderators' decisions.
    **dict.fromkeys(
        ("as_asked", "not_accepted", "not_merged", "one_already", "other_seating", "same_play"),
        status.HTTP_409_CONFLICT,
    ),
    # The same for clubs.
    **dict.fromkeys(
        (
            "slug_taken",
            "member",
            "in_already",
            "has_account",
            "no_member",
            "organiser",
            "no_organiser",
            "last_organiser",
            "last_owner",
            "link_ended",
            "left",
            "listed",
            "not_listed",
            "cancelled",
            "no_club",
            "planned",
            "season_open",
            "scheduled",
            "no_swiss",
            "players",
            "too_many_rounds",
            "too_many_clubs",
            "too_many_evenings",
            "too_many_members",
            "too_many_organisers",
            "too_many_seasons",
        ),
        status.HTTP_409_CONFLICT,
    ),
    # The same for studies.
    **dict.fromkeys(
        (
            "changed_meanwhile",
            "last_chapter",
            "no_chapter",
            "no_study",
            "own_study",
            "too_many_chapters",
            "too_many_studies",
        ),
        status.HTTP_409_CONFLICT,
    ),
    # The same for comments and reports.
    **dict.fromkeys(
        (
            "comments_off",
            "deleted_meanwhile",
            "fork_of_hidden",
            "hidden",
            "no_comment",
            "own_collection",
            "own_comment",
            "too_late",
            "too_many_on_game",
        ),
        status.HTTP_409_CONFLICT,
    ),
    "not_shared": status.HTTP_403_FORBIDDEN,
    "too_many_comments": status.HTTP_429_TOO_MANY_REQUESTS,
    "aborted_often": status.HTTP_409_CONFLICT,
    # The same for uploads.
    **dict.fromkeys(("over", "refused", "nothing_to_retry", "too_many_open", "no_room"), status.HTTP_409_CONFLICT),
    **dict.fromkeys(("account_needed", "nobody", "rated_needs_account"), status.HTTP_401_UNAUTHORIZED),
    "too_wide": status.HTTP_422_UNPROCESSABLE_ENTITY,
    "key_used": status.HTTP_422_UNPROCESSABLE_ENTITY,
    "under_way": status.HTTP_409_CONFLICT,
    **dict.fromkeys(("busy", "intake_paused"), status.HTTP_503_SERVICE_UNAVAILABLE),
    "being_made": status.HTTP_503_SERVICE_UNAVAILABLE,
}
_RETRY: dict[int, dict[str, str]] = {status.HTTP_503_SERVICE_UNAVAILABLE: {"Retry-After": "5"}}


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to an error in the one shape; none for errors that the request did not cause."""
    if isinstance(error, RefusedError):
        code = _STATUS_OF_REFUSAL.get(error.code, status.HTTP_400_BAD_REQUEST)
        place = {"parameter": error.parameter} if error.parameter else None
        body = shape(error.code, error.template, error.params, place=place)
        return Response(body, status=code, headers=_retry_of(error, code))
    if isinstance(error, CursorError):
        place = {"parameter": "before, after"}
        return Response(shape("bad_mark", error.template, error.params, place=place), status=400)
    if isinstance(error, StudyError):
        return Response(_illegal(error), status=413 if isinstance(error, TooLongError) else 400)
    if isinstance(error, RecranksError):
        return Response(shape(error.code, error.template, error.params), status=status.HTTP_409_CONFLICT)
    response = exception_handler(error, context)
    if response is not None:
        response.data = _of(error)
    return response


def _retry_of(error: RefusedError, code: int) -> dict[str, str] | None:
    """Return when something refused can be tried again."""
    if code == status.HTTP_429_TOO_MANY_REQUESTS:
        return {"Retry-After": str(60 * int(str(error.params["minutes"])))}
    return _RETRY.get(code)


def _illegal(error: StudyError) -> dict[str, Any]:
    """Return why a chapter is refused: the rule, and the action or the place in the file."""
    line, column = error.place or (None, None)
    place = {"rule": error.rule, "node": error.node, "token": error.token, "line": line, "column": column}
    code = "too_large" if isinstance(error, TooLongError) else "illegal"
    return shape(code, error.template, error.params, place=place)


def shape(
    code: str, template: str, params: Mapping[str, Any] | None = None, *, place: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return an error as it is sent: a code, the sentence in the reader's language, its template and its parameters.

    :param place: where in the request the error is.
    """
    params = dict(params or {})
    return _shape(
        code, render(template, params, translated), template=template, params=params_json(params), place=place
    )


def _shape(code: str, message: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 (the other keys)
    """Return an error; a sentence of the framework's own has no template."""
    return {"error": {"code": code, "message": message, "template": None, "params": {}, "place": None} | more}


def _of(error: Exception) -> dict[str, Any]:
    if isinstance(error, Http404):
        return shape("not_found", marked("There is nothing at this address."))
    if isinstance(error, PermissionDenied):
        return shape("permission_denied", marked("You may not do this."))
    if isinstance(error, exceptions.ValidationError) and isinstance(error.detail, dict):
        field, faults = next(iter(error.detail.items()))
        return _shape("invalid", _sentence(faults), place={"parameter": field})
    if isinstance(error, exceptions.APIException):
        codes = error.get_codes()
        return _shape(codes if isinstance(codes, str) else "invalid", _sentence(error.detail))
    return shape("error", marked("The request failed."))


def _sentence(detail: Any) -> str:  # noqa: ANN401 (DRF nests strings in lists and objects as it likes)
    if isinstance(detail, dict):
        return _sentence(next(iter(detail.values()), ""))
    if isinstance(detail, list):
        return _sentence(detail[0]) if detail else ""
    return str(detail)
