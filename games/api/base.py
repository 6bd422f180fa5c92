"""The view that all operations of the API derive from."""

from typing import Any, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework import views
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.parameters import check_parameters

Answer = TypeVar("Answer", bound=HttpResponseBase)


class APIView(views.APIView):
    """An operation that refuses parameters of an address which it does not describe: a lost filter answers too much."""

    def initial(self, request: Request, *args: Any, **named: Any) -> None:  # noqa: ANN401 (the framework's own)
        """Check, after who asks and how often, what is asked for."""
        super().initial(request, *args, **named)
        check_parameters(self)

    def finalize_response(self, request: Request, response: Response, *args: Any, **named: Any) -> Response:  # noqa: ANN401 (the framework's own)
        """Let programs in pages of other sites read what everybody may read."""
        return answer_all_origins(request, super().finalize_response(request, response, *args, **named))


def answer_all_origins(request: Request | HttpRequest, answer: Answer) -> Answer:
    """Say of a read that pages of any origin may have the answer (https://fetch.spec.whatwg.org/#http-cors-protocol).

    With ``*`` browsers hand it over only if no cookie and no token was sent, so it is what a visitor sees.
    """
    if request.method in ("GET", "HEAD"):
        answer["Access-Control-Allow-Origin"] = "*"
        answer["Access-Control-Expose-Headers"] = "*"
    return answer
