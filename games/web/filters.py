"""Parameters that an address outside the API does not know: a page says so to people, other addresses refuse them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Final, ParamSpec
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict

from engine.words import Words
from games.platform.parameters import nearest, repeated, unknown
from games.sentences import translated

_OF_EVERY_PAGE: Final = frozenset({"result", "results"})
"""Whether hidden results are shown."""
_TRACKING = re.compile(r"(?:utm|mc)_.*|fbclid|gclid|msclkid|ref")
"""What others append to links to see where readers come from; it is not meant for the page."""
_MOST = 3
"""Notices on a page."""
_LONGEST = 64
"""Characters of a name that are repeated to its sender."""

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


@dataclass(frozen=True, slots=True)
class UnknownFilter:
    """A parameter that does not filter a page."""

    name: str
    nearest: str
    """The filter that may have been meant; empty if none is near."""
    query: str
    """The page's query with that filter instead."""


def filters(*known: str, **meant: str) -> Callable[[View[P]], View[P]]:
    """Have a page say above its content which parameters it does not know, instead of leaving them out in silence.

    :param known: the page's filters, its marks of other pages, and what its scripts ask for.
    :param meant: by names that people may expect, the filters that are meant, as `name="q"`.
    """

    def decorated(view: View[P]) -> View[P]:
        @wraps(view)
        def answer(request: HttpRequest, /, *args: P.args, **named: P.kwargs) -> HttpResponse:
            request.unknown_filters = tuple(_unknown_filters(request.GET, known, meant))  # type: ignore[attr-defined] # for templates
            return view(request, *args, **named)

        return answer

    return decorated


def only(*known: str) -> Callable[[View[P]], View[P]]:
    """Have an address that programs read refuse parameters that it does not know, as the API does: they read too much.

    The refusal is JSON with status 400, as of the API: code `invalid`, and the parameter as its place.
    """

    def decorated(view: View[P]) -> View[P]:
        @wraps(view)
        def answer(request: HttpRequest, /, *args: P.args, **named: P.kwargs) -> HttpResponse:
            for name, values in request.GET.lists():
                if name not in known:
                    return _refusal(name, unknown(name, known))
                if len(values) > 1:
                    return _refusal(name, repeated(name))
            return view(request, *args, **named)

        return answer

    return decorated


def _unknown_filters(query: QueryDict, known: tuple[str, ...], meant: dict[str, str]) -> Iterator[UnknownFilter]:
    others = [name for name in query if not {name} & {*known, *_OF_EVERY_PAGE} and not _TRACKING.fullmatch(name)]
    for name in others[:_MOST]:
        near = nearest(name, {*known, *meant})
        near = meant.get(near, near)
        yield UnknownFilter(name[:_LONGEST], near, _instead(query, name, near) if near else "")


def _instead(query: QueryDict, name: str, near: str) -> str:
    """Return a query in which one name stands for another; the values stay."""
    kept = [(other, value) for other, values in query.lists() if other not in {name, near} for value in values]
    return urlencode([*kept, (near, query[name])])


def _refusal(name: str, said: Words) -> HttpResponse:
    error = {"code": "invalid", "message": said.render(translated), "place": {"parameter": name[:_LONGEST]}}
    return JsonResponse({"error": error}, status=400)
