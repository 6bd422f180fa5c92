"""The first page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.web.pages.home import home_page


def home(request: HttpRequest) -> HttpResponse:
    """What this is, the newest games, the best players."""
    return render(request, "games/home.html", {"page": home_page()})
