"""The interface's description, made for one request at a time: its generator loads parts of itself at first use."""

from threading import Lock
from typing import Any

from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

_making = Lock()


class DescriptionView(SpectacularAPIView):
    """Gives the description as OpenAPI."""

    def _get_schema_response(self, request: Request) -> Any:  # noqa: ANN401 (as the framework has it)
        with _making:
            return super()._get_schema_response(request)  # type: ignore[no-untyped-call]
