"""Handing games in, and what becomes of them."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def upload(request: HttpRequest) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")


def result(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Not made yet."""
    return render(request, "games/page.html")
