"""Writes a change into a record; everything else stays as it was written."""

import json
from typing import Any

from engine.agn.log import Place, Record
from engine.agn.reading import parse
from engine.agn.retag import retag
from engine.suggesting.values import Edit


def edited(record: Record, edit: Edit) -> bytes:
    """Return a record's bytes, text or JSON, with a change; the layout of JSON is not kept."""
    if edit.record is not None:
        return edit.record
    changed = _in_json(record, edit) if record.form == "json" else _in_text(record, edit)
    return retag(changed, record.form, edit.tags) if edit.tags else changed


def _in_text(record: Record, edit: Edit) -> bytes:
    text, log = record.data.decode(), parse(record)
    places, log_tokens = log.token_places(), log.tokens
    begin = _offset(text, places[edit.at], record.line)
    new = " ".join(edit.tokens)
    if not edit.removed:
        at_end = edit.at == len(log_tokens)
        return (text[:begin] + (f" {new}" if at_end else f"{new} ") + text[begin:]).encode()
    last = edit.at + edit.removed - 1
    end = _offset(text, places[last], record.line) + len(log_tokens[last])
    rest = text[end:] if new else text[end:].lstrip(" \t")
    return (text[:begin] + new + rest).encode()


def _offset(text: str, place: Place, first_line: int) -> int:
    """Return the number of characters before a place."""
    line, column = place
    before = text.split("\n", line - first_line)[: line - first_line]
    return sum(map(len, before)) + len(before) + column - 1


def _in_json(record: Record, edit: Edit) -> bytes:
    value: dict[str, Any] = json.loads(record.data)
    tokens: list[str] = [*value["actions"], value["result"]]
    tokens[edit.at : edit.at + edit.removed] = edit.tokens
    value["actions"], value["result"] = tokens[:-1], tokens[-1]
    value["comments"] = _moved(value.get("comments", {}), edit)
    if not value["comments"]:
        del value["comments"]
    return json.dumps(value, ensure_ascii=False).encode()


def _moved(comments: dict[str, str], edit: Edit) -> dict[str, str]:
    """Return the comments at the new plies of their actions; a removed action's comment joins the one before."""
    added, moved = len(edit.tokens) - edit.removed, dict[str, str]()
    for ply, text in comments.items():
        now = int(ply) + (added if int(ply) >= edit.at else 0)
        moved[str(now)] = f"{moved[str(now)]} {text}" if str(now) in moved else text
    return moved
