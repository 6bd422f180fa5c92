"""The first page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.web.site.home import home_page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, the newest games, the best players."""
    return render(request, "games/site/home.html", {"page": home_page()})
