"""The dumps: whole months as files."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.records.reads.dumps import find_file
from games.web.ranges import part_of
from games.web.records.dumps import dumps_page


@require_safe
def dumps(request: HttpRequest) -> HttpResponse:
    """Show which dumps there are, and how to use them."""
    return render(request, "games/records/dumps.html", {"page": dumps_page(settings.SITE_URL)})


@require_safe
def file(request: HttpRequest, month: str, name: str) -> HttpResponseBase:
    """Show a file of a dump, or the rest of it; where a front server has them, the way there."""
    path = find_file(month, name)
    if path is None:
        raise Http404
    if settings.DUMPS_URL:
        return redirect(f"{settings.DUMPS_URL}/{month}/{name}")
    return part_of(path, request.headers.get("Range", ""))
