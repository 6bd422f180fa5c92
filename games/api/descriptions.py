"""Additions to the OpenAPI description that concern all operations."""

from copy import deepcopy
from typing import Any

_ERROR = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorShape"}}}, "description": ""}
_RETRY = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds after which to come again."}}
_METHODS = frozenset({"get", "put", "post", "delete", "head", "patch"})


def say_too_many(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add the answer 429 to every operation: all requests are counted."""
    for operations in result["paths"].values():
        for method, operation in operations.items():
            if method in _METHODS:
                _say(operation["responses"])
    return result


def _say(responses: dict[str, Any]) -> None:
    like = next((answer for code, answer in responses.items() if code.startswith("4") and "content" in answer), _ERROR)
    responses["429"] = {**deepcopy(like), "headers": _RETRY}
