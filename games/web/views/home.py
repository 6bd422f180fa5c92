"""The first page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")
