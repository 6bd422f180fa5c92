"""A position of Army Ants and the actions that lead from one to the next."""

from functools import cache
from typing import Any, NamedTuple

from engine.army_ants.board import (
    BLACK,
    LETTER,
    OFF,
    OWNER,
    RED,
    ROWS,
    SIDES,
    STEP,
    WIDTH,
    beside,
    between,
    bits_of,
    courses,
    line,
    swept,
)
from engine.rounds import Round, in_turns
from engine.ruleset import Outcome
from engine.words import words

SEATS = "RB"
COLONIES = (words("Red"), words("Black"))
"""What people call the colonies."""
SETUP, BATTLE, OVER = "setup", "battle", "over"

SETUP_ACTIONS = 5
"""Actions of a colony in the setup phase (ARMY-SETUP-2)."""


class State(NamedTuple):
    """A position. Colonies are numbered as in SEATS, cells and cards as in `board`; sets of cells are bits."""

    cards: bytes
    """The card on each cell."""
    held: tuple[int, int]
    """The cells on which each colony's cards lie."""
    phase: str
    seat: int
    """The colony to act; when the game is over, the one that acted last."""
    pair: int
    """The number of the turn pair of the action to come; when the game is over, of the last one."""
    done: tuple[int, int]
    """The setup actions that each colony has made."""
    older: str
    recent: str
    """The battle's actions in order, one sign each: `older` are those of all full hundreds, `recent` what follows.

    In two parts, so that the thousands of states of a long replay share the older one.
    """
    outcome: Outcome | None


SHARED = 100
"""How many signs go into `older` at a time."""


class Swap(NamedTuple):
    """`a1~b2`: two own cards change places."""

    one: int
    other: int
    cells: int
    """Both; OFF when they do not touch."""
    sign: str


class March(NamedTuple):
    """`b2N3`, `a2-c2N3`: a run of own cards moves."""

    run: tuple[int, ...]
    """Its cells from the west or south end; none when the ends are not in one row or column."""
    side: int
    steps: int
    cells: int
    path: int
    """What must be empty; OFF when the run would leave the board."""
    landed: int
    """Where the run then lies; no cells when it would leave the board."""
    sign: str


class MoveOut(NamedTuple):
    """`b2>d5`: a card goes along its row, its column, or both, once each; by the free rules along any path."""

    start: int
    end: int
    by_row: int
    by_column: int
    """What must be empty when the row, or the column, comes first."""
    sign: str
    free: bool = False
    """Whether any path of empty cells leads there (`Rules "free"`)."""


class Attack(NamedTuple):
    """`b2xb6`: a card takes another one."""

    start: int
    end: int
    path: int
    """What must be empty; OFF when the two are not in one row or column."""
    sign: str


class Gambit(NamedTuple):
    """`QG`: the queen moves from the front row to the back row."""

    sign: str = ""


class Pass(NamedTuple):
    """`pass`: when no other action is possible."""

    sign: str = chr(0xFFFD)


Action = Swap | March | MoveOut | Attack | Gambit | Pass

# Every action of the battle has a sign of its own, a character, so that a series of actions is a text (ARMY-END-3).

_CELLS = WIDTH * ROWS
_PAIRS = _CELLS * _CELLS
_SWAPS, _MOVES_OUT, _ATTACKS, _MARCHES = (_PAIRS * form for form in range(4))
_FREE_MOVES_OUT = 0xE000
"""Where Unicode has characters for private use: no march has one of them."""


@cache
def swap(one: int, other: int) -> Swap:
    """Return a swap of the cards on two cells, the smaller one by column and row first."""
    cells = bits_of([one, other]) if beside(one, other) else OFF
    return Swap(one, other, cells, chr(_SWAPS + one * _CELLS + other))


@cache
def march(first: int, last: int, side: int, steps: int) -> March:
    """Return a march of the run from its west or south end to the other one."""
    run = line(first, last)
    cells, path, shift = bits_of([*run]), swept(run, side, steps), STEP[side] * steps
    landed = 0 if path == OFF else cells << shift if shift > 0 else cells >> -shift
    sign = _MARCHES + ((first * _CELLS + last - first) * len(SIDES) + side) * ROWS + steps
    return March(run, side, steps, cells, path, landed, chr(sign))


@cache
def move_out(start: int, end: int) -> MoveOut:
    """Return a move out from one cell to another."""
    return MoveOut(start, end, *courses(start, end), chr(_MOVES_OUT + start * _CELLS + end))


@cache
def free_move_out(start: int, end: int) -> MoveOut:
    """Return a move out from one cell to another by the free rules."""
    return MoveOut(start, end, *courses(start, end), chr(_FREE_MOVES_OUT + start * _CELLS + end), free=True)


@cache
def attack(start: int, end: int) -> Attack:
    """Return an attack from one cell on another."""
    return Attack(start, end, between(start, end), chr(_ATTACKS + start * _CELLS + end))


def to_act(state: State) -> str | None:
    """Return the letter of the colony to act; None when the game is over."""
    return None if state.phase == OVER else SEATS[state.seat]


def round_of(state: State) -> Round:
    """Return how far the pair of turns has come."""
    return Round(words("Move {number}", number=state.pair), in_turns(SEATS, to_act(state)))


def describe(state: State) -> dict[str, Any]:
    """Return the state as a replay shows it (the record format's description of the game)."""
    return {
        "phase": state.phase,
        "turn": to_act(state),
        "pair": state.pair,
        "board": _by_rows(state.cards.translate(LETTER)),
        "owner": _by_rows(state.cards.translate(OWNER)),
        "done": {SEATS[seat]: state.done[seat] for seat in (RED, BLACK)},
        "placements": list(state.outcome.placements) if state.outcome else None,
    }


def _by_rows(letters: bytes) -> str:
    """Return letters of all cells as the `Setup` tag writes them: from row 8 down to row 1."""
    text = letters.decode()
    return "/".join(text[row * WIDTH : (row + 1) * WIDTH] for row in reversed(range(ROWS)))
