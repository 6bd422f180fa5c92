"""What the description of an operation says about its query, held at run time."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.serializers import CharField, ListField, ListSerializer, Serializer

from engine.words import marked
from games.platform.parameters import ParameterError, repeated, unknown
from games.uploads.options import TICKET

FORMAT: Final = "format"
"""The one name for how an answer is written."""
OLDER_NAMES: Final = {"form": FORMAT}
"""Names of an earlier version, and those that replace them; both are read."""
OLDER: Final = "The same as `format`, for programs of an earlier version."
_known: dict[Callable[..., Any], dict[str, bool]] = {}


def known_parameters(view: Any) -> dict[str, bool] | None:  # noqa: ANN401 (the framework's view)
    """Return the parameters that the operation of a request has by its description, and which may be repeated.

    :returns: None where nothing describes it.
    """
    bound: Any = getattr(view, view.request.method.lower(), None)
    handler: Callable[..., Any] = getattr(bound, "__func__", bound)
    described = getattr(handler, "kwargs", {}).get("schema")
    if described is None:
        return None
    if handler not in _known:
        _known[handler] = dict(_declared(described, view))
    return _known[handler]


def check_parameters(view: Any) -> None:  # noqa: ANN401 (the framework's view)
    """Check that a request has no parameter that its operation does not know, and each once.

    :raises ParameterError: for the first that is unknown or repeated.
    """
    known = known_parameters(view)
    if known is None:
        return
    older = (old for old, new in OLDER_NAMES.items() if new in known)
    read = {FORMAT: False, **dict.fromkeys(older, False), **known}
    for name, values in view.request.query_params.lists():
        if name not in read or (len(values) > 1 and not read[name]):
            raise ParameterError.about(name, repeated(name) if name in read else unknown(name, known))


def check_names(shape: Serializer[Any], sent: Any, place: str = "", *, more: bool = False) -> None:  # noqa: ANN401 (whatever was sent)
    """Check that an object that was sent, and those in it, have no names but those of their shape; text is text.

    :param place: where it is in the body; empty for the body itself.
    :param more: whether other names are left alone.
    :raises ParameterError: for the first that is unknown, or a number or truth value where a text belongs.
    """
    if not isinstance(sent, dict):
        return
    known = {*shape.fields, *(old for old, new in OLDER_NAMES.items() if new in shape.fields), TICKET}
    for name, value in sent.items():
        at = f"{place}.{name}" if place else name
        if name not in known and not more:
            raise ParameterError.about(at, unknown(name, shape.fields))
        _check_value(shape.fields.get(name), value, at, more=more)


def _check_value(field: Any, value: Any, at: str, *, more: bool) -> None:  # noqa: ANN401 (any field, and whatever was sent)
    if isinstance(field, ListSerializer):
        for number, one in enumerate(value if isinstance(value, list) else ()):
            _check_value(field.child, one, f"{at}.{number}", more=more)
    elif isinstance(field, Serializer):
        check_names(field, value, at, more=more)
    elif isinstance(field, CharField) and isinstance(value, int | float):
        raise ParameterError(at, marked("“{name}” must be a text: write it in quotes."), name=at[:64])


def wanted_format(request: Request) -> str:
    """Return the format that an address asks for where the operation has no such parameter of its own, or ``""``."""
    known = known_parameters(request.parser_context["view"])
    return "" if known is not None and FORMAT in known else request.query_params.get(FORMAT, "")


def _declared(described: type[Any], view: Any) -> Iterator[tuple[str, bool]]:  # noqa: ANN401 (the framework's view)
    """Yield the names in the query of an operation, as the description writes them, and whether each is a list."""
    schema = described()
    schema.view, schema.method = view, view.request.method
    for parameter in schema.get_override_parameters():
        if isinstance(parameter, type):
            yield from ((name, isinstance(field, ListField)) for name, field in parameter().fields.items())
        elif parameter.location == "query":
            yield parameter.name, bool(parameter.many)
