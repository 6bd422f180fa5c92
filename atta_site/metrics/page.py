"""The page `/metrics`, for clients that send the token from the settings; without a token there is no such page."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from atta_site.metrics.stored import Stored
from games.platform import counted

_SCHEME = "Bearer "


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all metrics in Prometheus' text format."""
    if not settings.METRICS_TOKEN:
        raise Http404
    if refused := _refusal(request.headers.get("Authorization", "")):
        return refused
    stored = CollectorRegistry(auto_describe=False)
    stored.register(Stored())
    return HttpResponse(_text(counted.registry()) + _text(stored), content_type=CONTENT_TYPE_LATEST)


def _refusal(authorization: str) -> HttpResponse | None:
    """Return why somebody may not read the metrics; none when they may."""
    if constant_time_compare(authorization, _SCHEME + settings.METRICS_TOKEN):
        return None
    answer = HttpResponse("Send the METRICS_TOKEN as a bearer token.\n", status=401, content_type="text/plain")
    answer["WWW-Authenticate"] = "Bearer"
    return answer


def _text(registry: CollectorRegistry) -> bytes:
    return bytes(generate_latest(registry))
