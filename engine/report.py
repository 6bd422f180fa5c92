"""Verdicts and replays as text for people: a line a game; for a rejected one also the place, the rule, the board."""

import unicodedata
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine.agn.log import Record
from engine.dealing import BROKEN, PROVED, SEALED, Dealing
from engine.quoting import printable, quote
from engine.replay import LEGAL_SHOWN, Fault, Replay
from engine.verify import REJECTED, UNFINISHED, VERIFIED, Verdict

if TYPE_CHECKING:
    from engine.suggesting import Suggestions

Paint = Callable[[str, str], str]
"""Colours a text: `paint("rejected", "red")`."""

_MARKS = {VERIFIED: ("✓", "green"), UNFINISHED: ("…", "yellow"), REJECTED: ("✗", "red")}
_DEALING_COLOURS = {SEALED: "yellow", PROVED: "green", BROKEN: "red"}
_CODES = {"red": "31", "green": "32", "yellow": "33", "faint": "2"}
_MARGIN = "    "
_SUGGESTED = 5
"""How many of the changes that could fix a game are shown."""
_SHOWN, _LEAD = 96, 24
"""Columns of a source line that are shown, and how many of them before the fault if it is longer."""


def in_colour(text: str, colour: str) -> str:
    """Return a text in a colour, for a terminal."""
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


def plain(text: str, _: str = "") -> str:
    """Return a text unchanged, for output that is not a terminal."""
    return text


def of_verdict(file: str, verdict: Verdict, paint: Paint, suggestions: "Suggestions | None" = None) -> str:
    """Return the verdict on one game: a line, and for a rejected game what is wrong and where."""
    lines = [f"{_marked(verdict.verdict, paint)} {printable(file)}, game {verdict.record.game}{_result(verdict)}"]
    if verdict.fault:
        lines += _fault(file, verdict, verdict.fault, paint)
    if suggestions:
        lines += _suggested(suggestions, paint)
    if verdict.dealing:
        lines.append(f"{_MARGIN}{_dealing(verdict.dealing, paint)}")
    return "\n".join(lines) + "\n"


def complaint(file: str, verdict: Verdict) -> str:
    """Return why a game was rejected, in one line, as compilers do."""
    fault = verdict.fault
    return f"{printable(file)}:{fault.line}:{fault.column}: {fault.rule}: {printable(fault.message)}" if fault else ""


def summary(counts: Mapping[str, int], unread: int, paint: Paint) -> str:
    """Return the number of games for each verdict."""
    games = _count(sum(counts.values()), "game")
    parts = [paint(f"{counts[name]} {name}", colour) for name, (_, colour) in _MARKS.items() if counts.get(name)]
    files = f"; {_count(unread, 'file')} could not be read" if unread else ""
    return f"{games}{': ' if parts else ''}{', '.join(parts)}{files}.\n"


def heading(file: str, replay: Replay[Any, Any], game: int) -> str:
    """Return the heading of a replay: the game and its players."""
    players = ", ".join(_player(replay, letter) for letter in replay.tags["Seats"].split(" "))
    return f"{printable(file)}, game {game} · {replay.ruleset.title} · {players}\n"


def step(replay: Replay[Any, Any], ply: int, paint: Paint) -> str:
    """Return one state of a replay: what led to it, and the board."""
    token = f"{replay.numbers[ply - 1]}. {replay.actions[ply - 1]}" if ply else "start"
    return f"\n{paint(f'ply {ply} ·', 'faint')} {token}\n{_picture(replay, ply)}\n"


def _marked(verdict: str, paint: Paint) -> str:
    mark, colour = _MARKS[verdict]
    return paint(f"{mark} {verdict:<10}", colour)


def _dealing(dealing: Dealing, paint: Paint) -> str:
    """Return what to say about a record's deal."""
    rule = f"{dealing.rule}: " if dealing.rule else ""
    return paint(f"Dealing {dealing.status}: {rule}{printable(dealing.message)}", _DEALING_COLOURS[dealing.status])


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _result(verdict: Verdict) -> str:
    replay, outcome = verdict.replay, verdict.outcome
    if replay is None or verdict.fault:
        return ""
    actions = _count(len(replay.actions), "action")
    if outcome is None:
        turn = replay.ruleset.to_act(replay.last)
        return f": legal so far, {actions}{f', {replay.ruleset.seat(turn).colour} to act' if turn else ''}"
    seats = sorted(enumerate(replay.tags["Seats"].split(" ")), key=lambda seat: outcome.placements[seat[0]])
    places = ", ".join(f"{outcome.placements[seat]}. {_player(replay, letter)}" for seat, letter in seats)
    return f": {places} · {actions} · {outcome.reason}"


def _player(replay: Replay[Any, Any], letter: str) -> str:
    return f"{printable(replay.names[letter])} ({replay.ruleset.seat(letter).colour})"


# A fault


def _fault(file: str, verdict: Verdict, fault: Fault, paint: Paint) -> list[str]:
    lines = [f"{_MARGIN}{paint(complaint(file, verdict), 'red')}", *_source(verdict.record, fault, paint)]
    if fault.legal:
        more = " …" if len(fault.legal) == LEGAL_SHOWN else ""
        lines.append(f"{_MARGIN}Legal here: {' '.join(fault.legal)}{more}")
    if verdict.replay and fault.ply is not None:
        lines += ["", _picture(verdict.replay, fault.ply), ""]
    return lines


def _suggested(suggestions: "Suggestions", paint: Paint) -> list[str]:
    """Return the suggested corrections: a sentence, and the changes that get furthest."""
    shown = suggestions.found[:_SUGGESTED]
    lines = [f"{_MARGIN}{paint(str(suggestions.sentence) or 'No change here makes the game legal.', 'yellow')}"]
    for one in shown:
        legal = "legal to the end" if one.whole else f"legal up to line {one.line}"
        said = f"{one.edit.kind:<8}{' '.join(one.edit.tokens):<16}{legal}: {one.sentence}"
        lines.append(f"{_MARGIN}  {said}".replace("\n", " ").rstrip(": "))
    more = len(suggestions.found) - len(shown)
    return [*lines, f"{_MARGIN}  … and {more} more"] if more else lines


def _picture(replay: Replay[Any, Any], ply: int) -> str:
    picture = replay.ruleset.shown.picture(replay.states[ply])
    return "\n".join(f"{_MARGIN}{line}".rstrip() for line in picture.split("\n"))


def _source(record: Record, fault: Fault, paint: Paint) -> list[str]:
    """Return the line at fault with a caret under the token; the action alone for a record in JSON."""
    if record.form == "json":
        return [] if fault.token is None else [f"{_MARGIN}At ply {fault.ply}: {printable(fault.token)}"]
    lines = record.data.decode(errors="replace").split("\n")
    at = fault.line - record.line
    if not 0 <= at < len(lines) or (record.too_long and at + 1 == len(lines)):
        return []
    shown = quote(lines[at].removesuffix("\r"), fault.column, fault.token, most=_SHOWN, lead=_LEAD)
    carets = " " * _width(shown.before) + "^" * max(1, _width(shown.marked))
    number = str(fault.line)
    gap = " " * len(number)
    text = f"{_MARGIN}{number} | {shown.before}{shown.marked}{shown.after}"
    return [text.rstrip(), f"{_MARGIN}{gap} | {paint(carets, 'red')}"]


def _width(text: str) -> int:
    """Return the number of terminal columns that a printable text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
