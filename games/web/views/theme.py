"""Light or dark."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def theme(request: HttpRequest) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")
