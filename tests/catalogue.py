"""Read translation catalogues, as text and compiled, with nothing but Python."""

import ast
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
CATALOGUES = sorted(ROOT.glob("*/locale/de/LC_MESSAGES/django.po")) + sorted(
    ROOT.glob("engine/*/locale/de/LC_MESSAGES/django.po")
)
"""The catalogues of the site and of every game."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, slots=True)
class Message:
    """A message and its translations, several if it has plural forms."""

    key: str
    """The message id in compiled catalogues: after its context, before its plural."""
    texts: tuple[str, ...]
    fuzzy: bool

    @property
    def sentences(self) -> list[str]:
        """The singular and, if it differs, the plural; German has as many forms."""
        return self.key.rpartition("\4")[2].split("\0")


def messages(path: Path) -> list[Message]:
    """Return the messages of a catalogue, its header first."""
    return [_message(block) for block in path.read_text(encoding="utf-8").strip().split("\n\n")]


def _message(block: str) -> Message:
    parts = dict(_parts(block))
    texts = tuple(text for name, text in parts.items() if name.startswith("msgstr"))
    context = f"{parts['msgctxt']}\4" if "msgctxt" in parts else ""
    plural = f"\0{parts['msgid_plural']}" if "msgid_plural" in parts else ""
    return Message(context + parts["msgid"] + plural, texts, fuzzy=bool(re.search("^#,.*fuzzy", block, re.MULTILINE)))


def _parts(block: str) -> Iterator[tuple[str, str]]:
    for found in re.finditer(r'^(msg\S+) ((?:".*"\n?)+)', block, re.MULTILINE):
        yield found[1], "".join(ast.literal_eval(line) for line in _STRING.findall(found[2]))


def compiled(path: Path) -> dict[str, str]:
    """Return the contents of a compiled catalogue."""
    data = path.read_bytes()
    magic, _, count, keys, texts = struct.unpack_from("<5I", data)
    assert magic == 0x950412DE, "no compiled catalogue"
    return {_at(data, keys + 8 * number): _at(data, texts + 8 * number) for number in range(count)}


def _at(data: bytes, place: int) -> str:
    length, start = struct.unpack_from("<2I", data, place)
    return data[start : start + length].decode()
