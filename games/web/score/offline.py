"""What of the score sheet works without a network: scripts that a browser asks for below the sheet's own address.

A service worker answers for addresses below its own only, and for workers whose script is there.
"""

from hashlib import sha256
from pathlib import Path

from csp.constants import WASM_UNSAFE_EVAL
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

_SCRIPTS = Path(__file__).parents[2] / "static" / "games" / "js"
_ENGINE = (_SCRIPTS / "engine" / "worker.js").read_bytes()
_ENGINE_SUM = sha256(_ENGINE).hexdigest()[:12]


def engine_worker() -> str:
    """Return the address of the worker with the engine, which changes with its content."""
    return f"{reverse('score-engine')}?{_ENGINE_SUM}"


@require_safe
@csp_update({"script-src": [WASM_UNSAFE_EVAL]})
def engine(_request: HttpRequest) -> HttpResponse:
    """Send the worker with the engine."""
    return HttpResponse(_ENGINE, content_type="text/javascript", headers={"Cache-Control": "no-cache"})
