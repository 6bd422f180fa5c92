"""The page on which files are checked in the browser. Nothing of them is sent here unless they are uploaded."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.verify import ENGINE_VERSION
from games.web.check.texts import texts
from games.web.forms import UploadForm
from games.web.rules.names import rules_to_name


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """Show the page; the form in it uploads what was checked, if that is wanted."""
    page = {
        "form": UploadForm(viewer=request.user, label_suffix=""),
        "rules": rules_to_name(),
        "texts": texts(),
        "engine_version": ENGINE_VERSION,
    }
    return render(request, "games/check/check.html", page)
