"""What people need to know of the programs' interface."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def api(request: HttpRequest) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")
