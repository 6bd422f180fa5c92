"""The OpenAPI description of the API, made once for each language and format."""

from hashlib import sha256
from threading import Lock
from typing import Any, ClassVar, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, override
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request

from games.api.base import APIView
from games.platform.parameters import ParameterError, not_allowed

making = Lock()
"""One at a time: the generator loads parts of itself at first use."""


class _Made(NamedTuple):
    """A description, ready to be sent."""

    content: bytes
    headers: dict[str, str]


class DescriptionView(APIView, SpectacularAPIView):
    """Gives the description, in the reader's language or in the one of `lang`."""

    _made: ClassVar[dict[tuple[str, str], _Made]] = {}

    @extend_schema(exclude=True, parameters=[OpenApiParameter("lang", enum=list(dict(settings.LANGUAGES)))])
    def get(self, request: Request, *_args: object, **_named: object) -> HttpResponse:
        """Answer with it, or that it is the one that the reader has (304).

        :raises ParameterError: for a language that the site does not speak.
        """
        language = request.GET.get("lang", get_language() or settings.LANGUAGE_CODE)
        if language not in (spoken := dict(settings.LANGUAGES)):
            raise ParameterError.about("lang", not_allowed("lang", language, spoken))
        made = self._description(request, language)
        answer = HttpResponse(made.content, headers=made.headers)
        return get_conditional_response(_plain(request), made.headers["ETag"], response=answer) or answer

    def _description(self, request: Request, language: str) -> _Made:
        form = str(request.accepted_renderer.media_type)
        with making:
            if (language, form) not in self._made:
                self._made[language, form] = self._make(request, language)
        return self._made[language, form]

    def _make(self, request: Request, language: str) -> _Made:
        renderer: Any = request.accepted_renderer
        with override(language):
            schema = self.generator_class(urlconf=self.urlconf).get_schema(public=True)  # type: ignore[no-untyped-call]
            content = renderer.render(schema, renderer_context={})
        headers = {
            "Content-Type": renderer.media_type + (f"; charset={renderer.charset}" if renderer.charset else ""),
            "Content-Disposition": f'inline; filename="Atta.{renderer.format}"',
            "ETag": f'"{sha256(content).hexdigest()[:32]}"',
        }
        return _Made(content, headers)


class ReferenceView(SpectacularSwaggerSplitView):
    """Shows the description in Swagger UI, on a page of the site."""

    authentication_classes = (SessionAuthentication,)  # whatever a token is for, anybody may read this
    template_name = "games/site/reference.html"
    url = "/api/v1/schema/?format=json"


def _plain(request: Request) -> HttpRequest:
    return request._request  # noqa: SLF001 - what Django compares a mark with
