"""The rules, with an anchor for every id."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.selectors.rules import NoSuchRulesError, documents, find_document
from games.web.pages.rulebook import html_of


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Which rules there are."""
    return render(request, "games/rules_index.html", {"documents": documents()})


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game, or of the record format."""
    try:
        document = find_document(slug)
    except NoSuchRulesError:
        raise Http404 from None
    others = [other for other in documents() if other is not document]
    return render(request, "games/rules.html", {"document": document, "others": others, "text": html_of(document)})
