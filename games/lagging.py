"""Answers that may lag: for visitors, who have written nothing, they are read from the replica."""

from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from typing import ParamSpec, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.platform import replica
from games.platform.long_answers import LongAnswer

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound=HttpResponseBase)
_MARK = "may_lag"


def may_lag(view: Callable[P, R]) -> Callable[P, R]:
    """Let a view, or a method of one, read from the replica, unless its reader has an account.

    People with an account see at once what they have just written. Only a complete answer is taken from the replica:
    what is missing there may have been written a moment ago. An answer must not be streamed, for what is read after the
    view has returned comes from the primary, unless it is a `LongAnswer`, which reads as its `reader` does.
    """

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        if not replica.is_configured() or not _is_of_a_visitor(args):
            return view(*args, **kwargs)
        return replica.read(lambda: view(*args, **kwargs), suits=_is_complete, of_any_age=True)

    setattr(answer, _MARK, True)
    return answer


def reader(request: Request) -> Callable[[Callable[[], T]], T]:
    """Return what reads for a long answer while it is written: from the replica, unless its reader has an account."""
    return directly if request.user.is_authenticated else partial(replica.read, of_any_age=True)


def directly(ask: Callable[[], T]) -> T:
    """Return what a function reads."""
    return ask()


def lags(view: object, method: str | None) -> bool:
    """Return whether a method of an API view may lag."""
    return hasattr(getattr(view, (method or "").lower(), None), _MARK)


def _is_of_a_visitor(args: tuple[object, ...]) -> bool:
    request = next(one for one in args if isinstance(one, HttpRequest | Request))
    return not request.user.is_authenticated


def _is_complete(answer: HttpResponseBase) -> bool:
    return answer.status_code == HTTPStatus.OK and (not answer.streaming or isinstance(answer, LongAnswer))
