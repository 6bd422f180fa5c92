"""Additions to the OpenAPI description that apply to all operations."""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from drf_spectacular.openapi import AutoSchema

_ERROR = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorShape"}}}, "description": ""}
_RETRY = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait before trying again."}}
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


def say_too_many(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add the answer 429 to every operation, since all requests are limited."""
    for operation in _operations(result):
        _say(operation["responses"])
    return result


def drop_empty_defaults(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Remove empty defaults of parameters: generated clients would send them, or generators reject them."""
    for operation in _operations(result):
        for parameter in operation.get("parameters", ()):
            if parameter["schema"].get("default") == "":
                del parameter["schema"]["default"]
    return result


def _operations(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in result["paths"].values():
        yield from (operation for method, operation in operations.items() if method in _METHODS)


def _say(responses: dict[str, Any]) -> None:
    like = next((answer for code, answer in responses.items() if code.startswith("4") and "content" in answer), _ERROR)
    responses["429"] = {**deepcopy(like), "headers": _RETRY}
