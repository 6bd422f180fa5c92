"""The view that all operations of the API derive from."""

from typing import Any

from rest_framework import views
from rest_framework.request import Request

from games.api.parameters import check_parameters


class APIView(views.APIView):
    """An operation that refuses parameters of an address which it does not describe: a lost filter answers too much."""

    def initial(self, request: Request, *args: Any, **named: Any) -> None:  # noqa: ANN401 (the framework's own)
        """Check, after who asks and how often, what is asked for."""
        super().initial(request, *args, **named)
        check_parameters(self)
