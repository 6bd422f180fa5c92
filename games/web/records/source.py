"""The lines of a record around its fault, with the faulty token marked."""

from dataclasses import dataclass

from engine.report import printable
from games.models import MoveLog, Verdict

_AROUND = 2
"""Lines shown before the faulty one, and behind it."""
_WIDEST = 160
"""Characters of a line that are shown; of a longer one, the part around the fault."""
_LEAD = 40
"""Characters of them before the fault."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a record, cut in three where something in it is at fault."""

    number: int
    before: str
    marked: str = ""
    after: str = ""
    faulty: bool = False
    caret: str = ""
    """What stands under a fault that has no characters of its own."""


def excerpt(log: MoveLog, verdict: Verdict) -> list[SourceLine]:
    """The lines around a fault; none for a record in JSON, whose faults have no line of their own."""
    if log.form == "json" or verdict.line is None:
        return []
    lines = [line.removesuffix("\r") for line in bytes(log.data).decode(errors="replace").split("\n")]
    at = verdict.line - log.line
    if not 0 <= at < len(lines):
        return []
    first = max(0, at - _AROUND)
    return [
        _faulty(verdict, line) if number == verdict.line else SourceLine(number, _cut(line, 0))
        for number, line in enumerate(lines[first : at + _AROUND + 1], log.line + first)
    ]


def _faulty(verdict: Verdict, line: str) -> SourceLine:
    start = (verdict.column or 1) - 1
    length = len(verdict.token) if verdict.token else len(line) if verdict.ply is None else 0
    begin = max(0, min(start - _LEAD, len(line) - _WIDEST))
    end = min(len(line), begin + _WIDEST)
    stop = min(start + length, end)
    before = ("… " if begin else "") + printable(line[begin:start])
    after = printable(line[stop:end]) + (" …" if end < len(line) else "")
    marked = printable(line[start:stop])
    return SourceLine(verdict.line or 0, before, marked, after, faulty=True, caret="" if marked else "^")


def _cut(line: str, begin: int) -> str:
    return printable(line[begin : begin + _WIDEST]) + (" …" if len(line) > begin + _WIDEST else "")
