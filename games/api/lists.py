"""Lists of which a page begins after some rows."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.queries import FromQuery, asked

PAGE = 100
"""Rows in one answer."""


def listed(
    request: Request,
    rows: "QuerySet[Any]",
    shape: type[serializers.BaseSerializer[Any]],
    about: Callable[[list[Any]], dict[str, Any]] = lambda _: {},
) -> Response:
    """Answer with a page of rows; `Link` points to the next one.

    :param about: what the shape has to know of all rows of a page, as its context.
    """
    start = asked(FromQuery, request)["start"]
    found = list(rows[start : start + PAGE + 1])
    following = request.build_absolute_uri(f"{request.path}?start={start + PAGE}")
    headers = {"Link": f'<{following}>; rel="next"'} if len(found) > PAGE else {}
    page: Any = found[:PAGE]
    return Response(shape(page, many=True, context={"request": request, **about(page)}).data, headers=headers)
