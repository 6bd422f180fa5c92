"""Games without a network: the service worker that answers for them, and the page that lists those of this device."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

_WORKER = (Path(__file__).parents[2] / "static" / "games" / "js" / "offline" / "worker.js").read_bytes()


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Send the service worker, which controls the pages below its address."""
    return HttpResponse(_WORKER, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show which games this device keeps, and what works without a network."""
    return render(request, "games/records/offline.html")
