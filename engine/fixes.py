"""Corrections for a record, as a page offers them: the best guess, legal actions by what they move, other changes."""

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.scene import Scene, branches, frames
from engine.suggesting import Kind, Suggestion, Suggestions
from engine.verify import Verdict
from engine.words import Translate, Words, words

_BUTTONS = 120
"""Legal actions that are shown at most, the best first."""
_PREVIEWS = 60
"""Of which so many can be seen on the board before one is chosen."""
_WHAT = re.compile(r"([A-Z]?[a-z]?[0-9]+)(?=[^0-9,])|([^@]+)(?=@)")
"""What a token begins with: the piece or place that it moves, or the card that it lays."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change, as a button."""

    name: str
    """What the form sends."""
    kind: str
    token: str
    label: str
    """The button's text, where the token alone would not do."""
    sentence: str
    whole: bool
    """Whether it makes the whole game legal."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """The legal actions of one piece, place or card."""

    what: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Fixes:
    """Everything that is offered for a rejected record."""

    token: str
    sentence: str
    """How many of the legal actions make the game legal."""
    best: Change | None
    rows: tuple[ChangeRow, ...]
    others: tuple[Change, ...]
    """To leave something out, to exchange, to insert."""
    more: int
    """How many legal actions are not shown."""
    scenes: tuple[Scene, ...]
    """The position before the mistake, and after each action that can be previewed."""
    previews: dict[str, Any]
    """The same, for the script."""


def fixes_of(verdict: Verdict, found: Suggestions | None, translate: Translate) -> Fixes | None:
    """Return what is offered for a record; None if it has no fault, or none that changing a token could correct.

    :param found: the suggestions for it.
    """
    if found is None:
        return None
    actions = [one for one in found.found if one.edit.kind == Kind.REPLACE and found.legal]
    changes = [_change(one, found, translate) for one in actions[:_BUTTONS]]
    scenes, previews = _previews(verdict, [change.token for change in changes[:_PREVIEWS]], translate)
    return Fixes(
        token=found.token or "",
        sentence=found.sentence.render(translate),
        best=_change(found.best, found, translate) if found.best else None,
        rows=_rows(changes),
        others=tuple(_change(one, found, translate) for one in found.found if one not in actions)[:_BUTTONS],
        more=found.legal - len(changes),
        scenes=scenes,
        previews=previews,
    )


def _change(one: Suggestion, found: Suggestions, translate: Translate) -> Change:
    token = " ".join(one.edit.tokens)
    label = _label(one, token, found.token or "").render(translate)
    return Change(one.edit.name, one.edit.kind, token, label, one.sentence.render(translate), one.whole)


def _label(one: Suggestion, token: str, faulty: str) -> Words:
    if one.edit.kind == Kind.REPAIR:
        return words("Read the date as {date}", date=token) if token else words("Repair the writing")
    if one.edit.kind == Kind.DELETE:
        return words("Leave out {token}", token=faulty)
    if one.edit.kind == Kind.SWAP:
        return words("Swap: {tokens}", tokens=token)
    if one.edit.kind == Kind.INSERT:
        return words("Insert {token} before {before}", token=token, before=faulty)
    return words("Use {token}", token=token)


def _rows(changes: list[Change]) -> tuple[ChangeRow, ...]:
    """Return actions in rows by what they move; in a single row if they all move the same."""
    order = list(dict.fromkeys(map(_what, changes)))
    if len(order) > max(1, len(changes) // 2):
        return (ChangeRow("", tuple(changes)),)
    rows = groupby(sorted(changes, key=lambda one: order.index(_what(one))), key=_what)
    return tuple(ChangeRow(what, tuple(found)) for what, found in rows)


def _what(change: Change) -> str:
    match = _WHAT.match(change.token)
    return (match[1] or match[2]) if match else ""


def _previews(verdict: Verdict, tokens: list[str], translate: Translate) -> tuple[tuple[Scene, ...], dict[str, Any]]:
    played = verdict.replay
    if played is None or not tokens:
        return (), {}
    base, scenes = branches(played.ruleset, played.states, played.actions, tokens)
    first = _short(frames([base], translate=translate)[0])
    after = {scene.token: _short(frames([base, scene], translate=translate)[1]) for scene in scenes}
    return (base, *scenes), {"base": first, "after": after}


def _short(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame with only what a preview shows."""
    return frame | {"trays": [], "lines": {}, "height": 0}
