"""Answers where a leaderboard, or a career on one, cannot be shown."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.ruleset import Ruleset
from games.models import Club
from games.web.ladders.lines import link_to

PATIENCE = 5
"""Seconds after which a page asks again for what is being computed."""


def error_page(
    request: HttpRequest, ruleset: Ruleset[Any, Any], club: Club | None, sentence: str, *, status: int = 400
) -> HttpResponse:
    """Answer why a query is invalid, or cannot be answered now."""
    page = {"here": link_to(ruleset, club), "club": club, "sentence": sentence}
    return render(request, "games/ladders/leaderboard_error.html", {"page": page}, status=status)


def later(answer: HttpResponse, seconds: int = PATIENCE) -> HttpResponse:
    """Have programs try again after some seconds."""
    answer["Retry-After"] = str(seconds)
    return answer
