"""What people need to know of the programs' interface."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.services import intake


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """How to begin, in three lines."""
    limits = {"bytes": intake.MAX_BYTES, "games": intake.MAX_GAMES}
    return render(request, "games/api.html", {"site": request.build_absolute_uri("/").rstrip("/"), "limits": limits})
