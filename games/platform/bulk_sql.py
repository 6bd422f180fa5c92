"""Columns: rows as `unnest` takes them, to add or change many in one statement."""

from collections.abc import Sequence
from datetime import datetime

_NUMBERS = {int, float, bool}


def columns(rows: Sequence[Sequence[object]], width: int) -> list[str]:
    """Return each column as an array in PostgreSQL's text form, because drivers are slow with large ones."""
    return [_array(column) for column in zip(*rows, strict=True)] if rows else ["{}"] * width


def _array(column: Sequence[object]) -> str:
    spelled = str if _NUMBERS.issuperset(map(type, column)) else _spelled
    return f"{{{','.join(map(spelled, column))}}}"


def _spelled(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    return f'"{value}"' if isinstance(value, datetime) else str(value)
