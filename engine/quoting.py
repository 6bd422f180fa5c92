"""Lines of a record quoted for people: safe to print, and around a fault if they are long."""

from dataclasses import dataclass

_UNSEEN = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Quote:
    """A line, or the part of it around a fault, safe to print and split in three."""

    before: str
    marked: str
    """What is at fault; empty where something is missing at the end of the line."""
    after: str


def printable(text: str) -> str:
    """Return text from outside made safe to print: control characters and invisible ones are replaced."""
    text = text.replace("\t", " ")
    return text if text.isprintable() else "".join(char if char.isprintable() else _UNSEEN for char in text)


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
