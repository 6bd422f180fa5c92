"""What the score sheet needs to work without a network: scripts below its own address, a manifest, and a page about it.

A service worker answers for addresses below its own only, and for workers whose script is there.
"""

from hashlib import sha256
from pathlib import Path

from csp.constants import SELF, WASM_UNSAFE_EVAL
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

_SCRIPTS = Path(__file__).parents[2] / "static" / "games" / "js"
_ENGINE = (_SCRIPTS / "engine" / "worker.js").read_bytes()
_WORKER = (_SCRIPTS / "score" / "offline-worker.js").read_bytes()
_ENGINE_SUM = sha256(_ENGINE).hexdigest()[:12]


installable = csp_update({"manifest-src": [SELF]})
"""Lets a page name the manifest."""


def engine_worker() -> str:
    """Return the address of the worker with the engine, which changes with its content."""
    return f"{reverse('score-engine')}?{_ENGINE_SUM}"


@require_safe
@csp_update({"script-src": [WASM_UNSAFE_EVAL]})
def engine(_request: HttpRequest) -> HttpResponse:
    """Send the worker with the engine."""
    return HttpResponse(_ENGINE, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Send the service worker, which controls the pages below its address."""
    return HttpResponse(_WORKER, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """Send what a browser needs to install the score sheet."""
    pictures = (("192.png", "192x192", "any"), ("512.png", "512x512", "any"), ("maskable.png", "512x512", "maskable"))
    manifest = {
        "name": gettext("Atta score sheet"),
        "short_name": "Atta",
        "description": gettext("Record a game from your table: click or type each move, and it is checked at once."),
        "start_url": reverse("score"),
        "scope": reverse("score"),
        "display": "standalone",
        "background_color": "#fbf8f1",
        "theme_color": "#1f5f38",
        "icons": [
            {"src": static(f"games/icons/{name}"), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in pictures
        ],
    }
    return JsonResponse(manifest, content_type="application/manifest+json")


@require_safe
@installable
def offline(request: HttpRequest) -> HttpResponse:
    """Show what works without a network."""
    return render(request, "games/score/offline.html")
