"""The leaderboards."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def leaderboards(request: HttpRequest) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")


def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")
