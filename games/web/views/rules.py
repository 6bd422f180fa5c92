"""The rules, with an anchor for every id."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def index(request: HttpRequest) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")


def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")
