"""Notation of the actions and the row of Picnic."""

import re

from engine.ruleset import MoveSyntaxError, TagError

from .board import NAMES, Row
from .state import Action, Placing, Walk

_ACTION = re.compile(rf"([{NAMES}])(?:>([{NAMES}]))?")
_ROW = re.compile(r"[.0-9]+")
_EMPTY = "."


def parse_action(token: str) -> Action:
    """Parse a token. :raises MoveSyntaxError: when it is neither a plate nor a walk."""
    match = _ACTION.fullmatch(token)
    if match is None:
        raise MoveSyntaxError("AGN-MOVE-1", "{token!r} is not an action of Picnic.", token=token)
    start, end = match.groups()
    return Walk(NAMES.index(start), NAMES.index(end)) if end else Placing(NAMES.index(start))


def format_action(action: Action) -> str:
    """Format an action; the inverse of `parse_action`."""
    return ">".join(NAMES[plate] for plate in action)


def parse_row(text: str) -> Row:
    """Parse the `Setup` tag: the crumbs on each plate. :raises TagError: (PICNIC-CLOTH-1)."""
    if _ROW.fullmatch(text) is None or "0" in text:
        raise TagError("Setup", "PICNIC-CLOTH-1", "Setup {row!r} is no row of plates such as .2..1.3.", row=text)
    return tuple(0 if plate == _EMPTY else int(plate) for plate in text)
