"""The pages of the API's reference, which is read from the description once for each language."""

from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from atta_site.description import making
from games.web.filters import filters
from games.web.parameters import text_from
from games.web.reference.pages import ReferencePage, index_page, operation_page, shape_page, shapes_page, subject_page
from games.web.reference.reading import Reference, reference_of


@require_safe
@filters("q", query="q", search="q")
def index(request: HttpRequest) -> HttpResponse:
    """Show which operations and shapes there are; with `q`, those with some words."""
    page = index_page(_reference(), text_from(request.GET, "q").strip())
    groups = "" if page.wanted else _all_groups(_language())
    return render(request, "games/reference/index.html", {"page": page, "groups": groups})


@require_safe
def subject(request: HttpRequest, name: str) -> HttpResponse:
    """Show the operations on one kind of thing."""
    return render(request, "games/reference/subject.html", {"page": _found(subject_page, name)})


@require_safe
def operation(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    """Show an operation: what is sent, what is answered, and samples of both."""
    return render(request, "games/reference/operation.html", {"page": _found(operation_page, subject, name)})


@require_safe
def shapes(request: HttpRequest) -> HttpResponse:
    """Show which objects are sent and answered."""
    return render(request, "games/reference/shapes.html", {"page": shapes_page(_reference())})


@require_safe
def shape(request: HttpRequest, name: str) -> HttpResponse:
    """Show an object that is sent or answered."""
    return render(request, "games/reference/shape.html", {"page": _found(shape_page, name)})


def _found(page_of: Callable[..., ReferencePage], *names: str) -> ReferencePage:
    try:
        return page_of(_reference(), *names)
    except KeyError:
        raise Http404 from None


def _reference() -> Reference:
    return _read(_language())


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE


@lru_cache
def _all_groups(language: str) -> SafeString:
    """Return the index without a search: its 200 operations take most of the page's time, and never change."""
    with override(language):
        return render_to_string("games/reference/groups.html", {"page": index_page(_read(language))})


@lru_cache
def _read(language: str) -> Reference:
    with making, override(language):
        description = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
        return reference_of(description, settings.SITE_URL)
