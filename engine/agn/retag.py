"""Changes the values of some tags in a record; everything else stays as it was written."""

import json
import re
from collections.abc import Mapping

from engine.agn.canonical import escape

_TAG = re.compile(r'^\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\\n]|\\["\\])*)"\]', re.MULTILINE)
_BLANK_LINE = re.compile(r"^[ \t]*\r?$", re.MULTILINE)


def retag(data: bytes, form: str, values: Mapping[str, str]) -> bytes:
    """Return a record's bytes, text or JSON, with new values for some of its tags; the layout of JSON is not kept.

    :raises ValueError: for broken JSON, which cannot happen for a record that was parsed before.
    """
    text = data.decode(errors="surrogateescape")
    changed = _retag_json(text, values) if form == "json" else retag_text(text, values)
    return changed.encode(errors="surrogateescape")


def retag_text(text: str, values: Mapping[str, str]) -> str:
    """Return a text, such as a canonical one, with new values for some of its tags."""
    blank = _BLANK_LINE.search(text)
    end = blank.start() if blank else len(text)
    return _TAG.sub(lambda tag: _line(tag, values), text[:end]) + text[end:]


def _line(tag: re.Match[str], values: Mapping[str, str]) -> str:
    return f'[{tag[1]} "{escape(values[tag[1]])}"]' if tag[1] in values else tag[0]


def _retag_json(text: str, values: Mapping[str, str]) -> str:
    record = json.loads(text)
    record["tags"] = {name: values.get(name, value) for name, value in record["tags"].items()}
    return json.dumps(record, ensure_ascii=False)
