"""Records in JSON, one a line."""

import json
from collections.abc import Mapping
from itertools import compress
from typing import Any

from engine.agn.canonical import json_form
from engine.agn.log import Record
from engine.agn.reading import NUMBER, parse

_encode = json.JSONEncoder(ensure_ascii=False).encode
"""One encoder for all lines: `json.dumps` would make another each time."""


def json_line(value: Mapping[str, Any]) -> str:
    """Return an object on a line of its own, also for readers that treat U+2028 and the like as line ends."""
    text = _encode(value)
    if not text.isascii():
        text = text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return text + "\n"


def json_of_text(text: str) -> dict[str, Any]:
    """Return the JSON form of a canonical text. Nothing is replayed: such a text has been verified before."""
    log = parse(Record(1, 1, "text", text.encode()))
    *words, result = log.tokens
    acts = [NUMBER.fullmatch(word) is None for word in words]
    comments = {sum(acts[:before]) - 1: comment for before, comment in log.comments}
    return json_form(log.tags, list(compress(words, acts)), comments, result)
