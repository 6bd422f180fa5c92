"""What is wrong with a record: the rule, the place, and the lines around it with the faulty token marked."""

from dataclasses import dataclass

from engine.quoting import quote, shortened
from engine.replay import LEGAL_SHOWN
from games.models import MoveLog, Verdict
from games.records.reads.rulebook import RuleLink, rule_link

_AROUND = 2
"""Lines shown before the faulty one, and behind it."""
_SHOWN, _LEAD = 160, 40
"""Characters of a line that are shown, and how many of them before the fault if it is longer."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a record, split in three around the faulty part."""

    number: int
    before: str
    marked: str = ""
    after: str = ""
    faulty: bool = False
    caret: str = ""
    """What marks a fault that has no characters of its own."""


@dataclass(frozen=True, slots=True)
class FaultShown:
    """What is wrong with a record, and where."""

    sentence: str
    rule: RuleLink
    line: int
    column: int
    ply: int | None
    token: str | None
    source: tuple[SourceLine, ...]
    legal: tuple[str, ...]
    more_legal: bool
    """Whether more was legal than is listed."""


def fault_shown(log: MoveLog) -> FaultShown | None:
    """Return what is wrong with a log, according to its newest verdict; None if that has no place."""
    verdict = log.verdicts.order_by("-pk").first()
    if verdict is None or verdict.line is None or verdict.column is None:
        return None
    return FaultShown(
        sentence=verdict.sentence,
        rule=rule_link(verdict.rule),
        line=verdict.line,
        column=verdict.column,
        ply=verdict.ply,
        token=verdict.token,
        source=tuple(_excerpt(log, verdict)),
        legal=tuple(verdict.legal or ()),
        more_legal=len(verdict.legal or ()) == LEGAL_SHOWN,
    )


def _excerpt(log: MoveLog, verdict: Verdict) -> list[SourceLine]:
    """Return the lines around a fault; none for a record in JSON, in which faults have no line."""
    if log.form == "json" or verdict.line is None:
        return []
    lines = [line.removesuffix("\r") for line in bytes(log.data).decode(errors="replace").split("\n")]
    at = verdict.line - log.line
    if not 0 <= at < len(lines):
        return []
    first = max(0, at - _AROUND)
    return [
        _faulty(verdict, line) if number == verdict.line else SourceLine(number, shortened(line, _SHOWN))
        for number, line in enumerate(lines[first : at + _AROUND + 1], log.line + first)
    ]


def _faulty(verdict: Verdict, line: str) -> SourceLine:
    shown = quote(line, verdict.column or 1, verdict.token, most=_SHOWN, lead=_LEAD)
    caret = "" if shown.marked else "^"
    return SourceLine(verdict.line or 0, shown.before, shown.marked, shown.after, faulty=True, caret=caret)
