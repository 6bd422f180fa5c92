"""The list of games, and the page of one."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def games(request: HttpRequest) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")


def game(request: HttpRequest, key: str) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")
