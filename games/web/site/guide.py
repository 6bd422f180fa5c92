"""What people need to know of the programs' interface."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.records.reads.export import MOST
from games.records.reads.recranks import has_grammar
from games.records.reads.rulebook import FORMAT, documents
from games.uploads.cutting import MAX_GAMES
from games.uploads.reads import report
from games.uploads.reads.pace import counted
from games.uploads.source import MAX_BYTES


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """How to begin, in three lines."""
    limits = {
        "bytes": MAX_BYTES,
        "games": MAX_GAMES,
        "form": settings.UPLOAD_MAX_FORM,
        "most": settings.UPLOAD_MAX_BYTES,
        "most_games": counted(settings.UPLOAD_MAX_GAMES),
        "export": MOST,
        "report": report.MOST,
    }
    page = {
        "site": settings.SITE_URL,
        "limits": limits,
        "grammars": [
            {"title": document.title, "url": reverse("rules-grammar", args=[document.slug])}
            for document in documents()
            if document.slug != FORMAT and has_grammar(document.slug)
        ],
    }
    return render(request, "games/site/api.html", page)
