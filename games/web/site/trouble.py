"""What is answered when something cannot be."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

_PERIOD = 60
"""Seconds in which forms for accounts are counted."""


def too_many(request: HttpRequest) -> HttpResponse:
    """Say to whoever sends forms for accounts too often how long to wait."""
    answer = render(request, "429.html", {"wait": _PERIOD, "account": True}, status=429)
    answer["Retry-After"] = str(_PERIOD)
    return answer
