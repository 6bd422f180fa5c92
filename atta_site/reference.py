"""The page of the API's reference, made once for each language."""

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from atta_site.description import making
from games.web.site.reference import Reference, reference_of


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show every operation and every shape."""
    return render(request, "games/site/reference.html", {"page": _reference(get_language() or "en")})


@lru_cache
def _reference(language: str) -> Reference:
    with making, override(language):
        return reference_of(SchemaGenerator().get_schema(public=True))  # type: ignore[no-untyped-call]
