"""Repeatable requests: `Idempotency-Key`, as in the IETF draft."""

import json
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from games.platform.idempotency import Kept, once

HEADER = "Idempotency-Key"
KEY = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    description="A key of your choice for one request. If you send the request again with this key within 24 hours, "
    "nothing is done twice, and you get the same answer (with `Idempotency-Replayed: true`). Another request with this "
    "key is refused (422), and so is one that comes while the first is being answered (409).",
)
_HEADERS = ("Location", "Upload-Offset", "Upload-Expires")

View = Callable[..., Response]


def body_of(request: Request) -> str:
    """Return the JSON that a request sends, which distinguishes it from others to its address."""
    return json.dumps(request.data, sort_keys=True)


def once_a_key(content_of: Callable[[Request], str]) -> Callable[[View], View]:
    """Return a view that acts only once for each idempotency key of an account.

    :param content_of: returns what distinguishes requests to one address; called after the view has done its work, or
        instead of it.
    """

    def of(view: View) -> View:
        @wraps(view)
        def answer(self: object, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 (the view's)
            key = request.headers.get(HEADER)
            if key is None or not request.user.is_authenticated:
                return view(self, request, *args, **kwargs)

            def act() -> Kept:
                made = view(self, request, *args, **kwargs)
                return Kept(made.status_code, made.data, {name: made[name] for name in _HEADERS if name in made})

            def fingerprint() -> str:
                return sha256("\n".join((request.get_full_path(), content_of(request))).encode()).hexdigest()

            kept = once(request.user, key.strip().strip('"'), fingerprint, act, now=timezone.now())
            more = {"Idempotency-Replayed": "true"} if kept.again else {}
            return Response(kept.body, status=kept.status, headers=kept.headers | more)

        return answer

    return of
