"""Additions to the OpenAPI description that apply to all operations."""

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from drf_spectacular.openapi import AutoSchema

_ERROR = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorShape"}}}, "description": ""}
_RETRY = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait before trying again."}}
_LATER = ("429", "503")
"""What may be asked again later: too many requests, a site that is busy or whose database is away."""
_METHODS = frozenset({"get", "put", "post", "delete", "head", "patch"})


_OF_MANY = re.compile(r"(ies|s)/\{[^}]*\}")
"""The plural before a parameter, which names one."""
_NOT_IN_NAMES = re.compile(r"[^a-z]+")


class Description(AutoSchema):
    """The framework's description of an operation, named by one pattern: the method, then the path.

    `GET /games` is `get_games`, `GET /games/{key}` is `get_game`, `POST /claims/{id}/decision` is
    `post_claim_decision`.
    """

    def get_operation_id(self) -> str:
        """Return the operation's name."""
        path = _OF_MANY.sub(lambda found: "y" if found[1] == "ies" else "", self.path.removeprefix("/api/v1/"))
        return f"{self.method.lower()}_{_NOT_IN_NAMES.sub('_', path).strip('_')}"


def say_refusals(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add to every operation what any of its kind may be refused with, whatever it does."""
    for path, operation in _operations(result):
        _say(operation, ["404"] if "{" in path else [])
    return result


def drop_empty_defaults(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Remove empty defaults of parameters: generated clients would send them, or generators reject them."""
    for _path, operation in _operations(result):
        for parameter in operation.get("parameters", ()):
            if parameter["schema"].get("default") == "":
                del parameter["schema"]["default"]
    return result


def _operations(result: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, operations in result["paths"].items():
        yield from ((path, operation) for method, operation in operations.items() if method in _METHODS)


def _say(operation: dict[str, Any], more: Iterable[str]) -> None:
    """Add the answers that are missing; each looks like the refusals that are described."""
    responses = operation["responses"]
    like = next((answer for code, answer in responses.items() if code.startswith("4") and "content" in answer), _ERROR)
    for code in (*more, *_refusals(operation)):
        responses.setdefault(code, deepcopy(like))
    for code in _LATER:
        responses[code]["headers"] = _RETRY
    operation["responses"] = dict(sorted(responses.items()))


def _refusals(operation: dict[str, Any]) -> Iterator[str]:
    yield from ("401", "403", *_LATER)
    if "requestBody" in operation or any(one["in"] != "path" for one in operation.get("parameters", ())):
        yield "400"
    if "requestBody" in operation:
        yield "413"
    if "*/*" not in operation.get("requestBody", {"content": {"*/*": {}}})["content"]:
        yield "415"
