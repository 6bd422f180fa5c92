"""Shows answers of the API as pages of the site when they are opened in a browser."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from games.api.parameters import FORMAT, wanted_format
from games.platform.parameters import ParameterError, not_allowed

_ADDRESS = re.compile(r"&quot;((?:https?://|/(?!/))[^\s&]*(?:&amp;[^\s&]+)*)&quot;")
_MOST = 200_000
"""Characters that are shown; a program gets all."""


class PageRenderer(BaseRenderer):
    """Writes an answer as a page: its JSON, with links."""

    media_type = "text/html"
    format = "page"
    charset = "utf-8"

    def render(
        self,
        data: Any,  # noqa: ANN401 (the framework's own)
        _media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        """Return the page."""
        context = renderer_context or {}
        request, response, view = context.get("request"), context.get("response"), context.get("view")
        plain = json.loads(JSONRenderer().render(data) or b"null")
        text = json.dumps(plain, ensure_ascii=False, indent=2)
        values = {
            "answer": _linked(text[:_MOST]),
            "cut": len(text) > _MOST,
            "status": getattr(response, "status_code", 200),
            "said": (getattr(getattr(view, "get", None), "__doc__", "") or "").partition("\n\n")[0],
            "path": request.get_full_path() if request else "",
        }
        return render_to_string("games/site/answer.html", values, request=getattr(request, "_request", None))


class PagesOnlyToRead(DefaultContentNegotiation):
    """Answers as JSON whatever changes something: only programs do that here, though some say that they accept HTML."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return how to write the answer, and its media type; `format` in the address goes before `Accept`.

        :raises ParameterError: when it names none of the formats.
        """
        first, *others = renderers
        if named := wanted_format(request):
            chosen = _of_format(named, (first, *others))
            return chosen, str(chosen.media_type)
        chosen, media_type = super().select_renderer(request, [first, *others], format_suffix)
        if request.method not in SAFE_METHODS and isinstance(chosen, PageRenderer):
            return first, str(first.media_type)
        return chosen, str(media_type)


def _of_format(name: str, renderers: tuple[BaseRenderer, ...]) -> BaseRenderer:
    for renderer in renderers:
        if renderer.format == name:
            return renderer
    raise ParameterError.about(FORMAT, not_allowed(FORMAT, name, [str(one.format) for one in renderers]))


def _linked(text: str) -> SafeString:
    linked = _ADDRESS.sub(r'&quot;<a href="\1" rel="nofollow">\1</a>&quot;', escape(text))
    return mark_safe(linked)  # noqa: S308 - the text is escaped, and only http and https addresses are linked
