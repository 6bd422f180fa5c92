"""Lines of a record quoted for people: safe to print, and around a fault if they are long."""

import re
from dataclasses import dataclass

_UNSEEN = "\N{REPLACEMENT CHARACTER}"
_NEEDED = (
    ("\u200c\u200d", re.compile("[\u0590-\u10ff\u1700-\u1cff\u2190-\U0001faff\ufe0f\U00011000-\U00011fff]")),
    ("\u180b\u180c\u180d\u180e\u180f", re.compile("[\u1820-\u18aa]")),
    (
        "".join(map(chr, range(0xE0100, 0xE01F0))),
        re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"),
    ),
)
"""Characters that show nothing by themselves, and after which others their script needs them: joiners in scripts whose
letters join and in emoji, selectors of forms in Mongolian, and in names written with Chinese characters."""
_FLAG, _TAGS = "\U0001f3f4", "".join(map(chr, range(0xE0020, 0xE0080)))
"""A flag of a region is a black flag, with the region's name in characters that show nothing."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A line, or the part of it around a fault, safe to print and split in three."""

    before: str
    marked: str
    """What is at fault; empty where something is missing at the end of the line."""
    after: str


def is_needed(text: str, at: int) -> bool:
    """Return whether a character that shows nothing by itself is one that the script of those before it needs.

    :param at: its index, from 0.
    """
    char, before = text[at], text[at - 1 : at]
    if char in _TAGS:
        return text[:at].rstrip(_TAGS).endswith(_FLAG)
    return any(char in needed and after.match(before) is not None for needed, after in _NEEDED)


def printable(text: str, unseen: str = _UNSEEN) -> str:
    """Return text from outside made safe to print: control characters and invisible ones are replaced.

    :param unseen: what replaces them.
    """
    text = text.replace("\t", " ")
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or is_needed(text, at) else unseen for at, char in enumerate(text))


def shortened(line: str, most: int) -> str:
    """Return the first characters of a line, safe to print."""
    return printable(line[:most]) + (" …" if len(line) > most else "")


def quote(line: str, column: int, token: str | None, *, most: int, lead: int) -> Quote:
    """Return a line split around the fault in it; of more than `most` characters, those around it, `lead` before it."""
    start = column - 1
    begin = max(0, min(start - lead, len(line) - most))
    end = min(len(line), begin + most)
    stop = min(start + _length(line, start, token), end)
    before, after = "… " if begin else "", " …" if end < len(line) else ""
    return Quote(before + printable(line[begin:start]), printable(line[start:stop]), printable(line[stop:end]) + after)


def _length(line: str, start: int, token: str | None) -> int:
    """Return how much of a line is at fault: a token, the rest of a tag, or one character."""
    if token:
        return len(token)
    return max(1, len(line.rstrip()) - start) if line.startswith("[") else 1
