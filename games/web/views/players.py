"""The page of a player."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")
