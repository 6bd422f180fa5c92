"""A header of the table's page contains the next cards."""

from typing import Any

import pytest
from django import shortcuts
from django.http import HttpRequest, HttpResponse

from games.models import Table
from games.web.play import views
from tests.games.playing.leaks import to_come

CHANNEL = "pages"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant the leak."""

    def render(request: HttpRequest, template: str, context: dict[str, Any], **named: Any) -> HttpResponse:
        answer = shortcuts.render(request, template, context, **named)
        if request.resolver_match and "key" in request.resolver_match.kwargs:
            answer["ETag"] = f'"{to_come(Table.objects.get(**request.resolver_match.kwargs))}"'
        return answer

    patch.setattr(views, "render", render)
