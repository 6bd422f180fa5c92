"""The actions of Army Ants prepared for playing: numbers and sets of cells, computed once for each token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.army_ants.board import BLACK, HOME, OFF, RED, STEP
from engine.army_ants.state import Action, Attack, Gambit, March, MoveOut, Swap
from engine.steps import Prepared

if TYPE_CHECKING:
    from mypy_extensions import i64, u8  # machine words and bytes when compiled; the board has 40 cells

SWAP: Final = 0
WALK: Final = 1
"""A move out or the march of one card, which differ in when they are legal."""
ATTACK: Final = 2
RUN: Final = 3
GAMBIT: Final = 4
PASS: Final = 5
ROAM: Final = 6
"""A move out by the free rules."""

SLOTS: Final = 251
"""Signs are counted in so many slots, a prime number."""
Numbers = tuple[int, int, int, int, int, int, int]
_NOWHERE = slice(0, 0, 1)


class Step(Prepared):
    """An action in the form that `play` takes. Sets of cells are bits, as in `board`.

    What nearly every action needs comes first, in few bytes: thousands of different actions come in turn, and memory
    is waited for line by line.
    """

    __slots__ = (
        "begin", "cells", "end", "kind", "landing", "other", "others", "path", "run", "sign", "slot", "stays", "stride",
    )  # fmt: skip

    kind: u8
    begin: u8
    """The cell of the first card."""
    end: u8
    """Where that card goes."""
    slot: u8
    """Where actions with this sign are counted, maybe with others."""
    stays: u8
    """The colonies, as bits, that may do this in the setup phase."""
    stride: u8
    """From each card of a run to the next, and how many cards it has besides the first."""
    others: u8
    cells: i64
    """The cards that act; for a walk, where the card is before or after it."""
    path: i64
    """What must be empty."""
    other: i64
    """For a walk, what may be empty instead; for an attack, what is taken; otherwise where the cards land."""
    sign: str
    run: slice[int, int, int]
    """The cards of a run, and where they land."""
    landing: slice[int, int, int]

    def __init__(self, numbers: Numbers, sign: str) -> None:
        super().__init__()
        self.kind, self.begin, self.end, self.cells, self.path, self.other, self.stays = numbers
        self.sign = sign
        self.slot = ord(sign) % SLOTS if sign else 0
        self.stride = self.others = 0
        self.run = self.landing = _NOWHERE


_KNOWN: Final = dict[str, Step]()
"""All actions that were met, by their signs, of which each has its own."""


def step(action: Action) -> Step:
    """Return an action in the form that `play` takes."""
    known = _KNOWN.get(action.sign)
    if known is None:
        known = _KNOWN[action.sign] = _step(action)
    return known


def _step(action: Action) -> Step:  # noqa: PLR0911 (a line for every form)
    match action:
        case Swap(one, other, cells, sign):
            return Step((SWAP, one, other, cells, 0, 0, _BOTH), sign)
        case March(run, _, _, cells, path, landed, sign) if len(run) == 1:
            return Step((WALK, run[0], _landing(action), cells | landed, path, path, _stays(landed)), sign)
        case March():
            return _run(action)
        case MoveOut(start, end, _, _, sign, free=True):
            return Step((ROAM, start, end, 1 << start | 1 << end, 0, 1 << end, 0), sign)
        case MoveOut(start, end, by_row, by_column, sign):
            return Step((WALK, start, end, 1 << start | 1 << end, by_row, by_column, 0), sign)
        case Attack(start, end, path, sign):
            return Step((ATTACK, start, end, 1 << start, path, 1 << end, 0), sign)
        case Gambit(sign):
            return Step((GAMBIT, 0, 0, 0, 0, 0, _BOTH), sign)
    return Step((PASS, 0, 0, 0, 0, 0, 0), action.sign)


_BOTH = 1 << RED | 1 << BLACK


def _run(action: March) -> Step:
    """Return the march of a run. `run` is not empty, as the notation says."""
    run, end = action.run, _landing(action)
    made = Step((RUN, run[0], end, action.cells, action.path, action.landed, _stays(action.landed)), action.sign)
    stop, stride = run[-1] + 1, run[1] - run[0]
    made.stride, made.others = stride, len(run) - 1
    made.run = slice(run[0], stop, stride)
    made.landing = slice(end, end + stop - run[0], stride)
    return made


def _landing(action: March) -> int:
    """Return the cell to which a run's first card goes; any cell if the run would leave the board."""
    return 0 if action.path == OFF else action.run[0] + STEP[action.side] * action.steps


def _stays(landed: int) -> int:
    """Return the colonies, as bits, that may do this in the setup phase: the cards end on their side (ARMY-SETUP-3)."""
    return sum(1 << seat for seat in (RED, BLACK) if not landed & ~HOME[seat])


__all__ = ["ATTACK", "GAMBIT", "PASS", "ROAM", "RUN", "SLOTS", "SWAP", "WALK", "Step", "step"]
