"""The rules, with an anchor for every id."""

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from engine.grammar import json_schema
from games.records.reads import recranks
from games.records.reads.quick_guides import find_guide, has_guide
from games.records.reads.rulebook import FORMAT, NoSuchRulesError, documents, find_document
from games.web.filters import filters, only
from games.web.parameters import text_from
from games.web.rules.pictures import picture_called
from games.web.rules.quick import page_of
from games.web.rules.rulebook import found_in, html_of


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show which rules there are."""
    shelf = [(document, has_guide(document.slug), picture_called(document.slug)) for document in documents()]
    shelf.sort(key=lambda entry: not entry[1])  # the games first
    return render(request, "games/rules/rules_index.html", {"shelf": shelf})


@require_safe
@filters("q", query="q", search="q")
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules of a game, or of the record format; with `q`, those that contain some words."""
    wanted = text_from(request.GET, "q").strip()
    try:
        document = find_document(slug)
    except NoSuchRulesError:
        raise Http404 from None
    page = {
        "document": document,
        "others": [other for other in documents() if other is not document],
        "wanted": wanted,
        "text": found_in(document, wanted) if wanted else html_of(document),
        "has_guide": has_guide(slug),
        "grammar": recranks.has_grammar(slug),
        "schema": slug == FORMAT,
    }
    return render(request, "games/rules/rules.html", page)


@require_safe
def quick(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how to play a game, in two minutes."""
    try:
        guide = find_guide(slug)
    except NoSuchRulesError:
        raise Http404 from None
    return render(request, "games/rules/quick.html", {"guide": page_of(guide, get_language() or "")})


@require_safe
@only()
def grammar(_request: HttpRequest, slug: str) -> HttpResponse:
    """Return what a game's records look like in text, in EBNF."""
    try:
        return HttpResponse(recranks.grammar_of(slug), content_type="text/plain; charset=utf-8")
    except NoSuchRulesError:
        raise Http404 from None


@require_safe
@only()
def schema(_request: HttpRequest) -> HttpResponse:
    """Return what records look like in JSON, in JSON Schema."""
    text = json.dumps(json_schema(), ensure_ascii=False, indent=2)
    return HttpResponse(text, content_type="application/schema+json")
