"""How the actions and the deal of Army Ants are written."""

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from engine.army_ants.board import (
    BLACK,
    CELLS,
    DEALT,
    FURTHEST,
    GAP,
    HALF,
    NAMES,
    NOTHING,
    RANKS,
    RED,
    ROWS,
    SIDES,
    WIDTH,
    line,
    place_of,
    side_of,
)
from engine.army_ants.state import (
    Action,
    Attack,
    Gambit,
    March,
    MoveOut,
    Pass,
    Swap,
    attack,
    free_move_out,
    march,
    move_out,
    swap,
)
from engine.ruleset import MoveSyntaxError, TagError
from engine.words import counted, marked

_GAMBIT, _PASS, _EMPTY = "QG", "pass", "."
_PAIR = re.compile(r"([a-z][0-9])([~>x])([a-z][0-9])")
_MARCH = re.compile(r"([a-z][0-9])(?:-([a-z][0-9]))?([NESW])([0-9]+)")
_LENGTH: Final = ROWS * (WIDTH + 1) - 1
"""Characters of a deal: rows with a stroke between."""
_ENDS: Final = "/" * (ROWS - 1)
_FIRST_GAP: Final = WIDTH // 2
_GAPS: Final = slice(_FIRST_GAP, None, _LENGTH - 1 - 2 * _FIRST_GAP)
"""Where the two empty cells are in a deal."""
_ASCII: Final = 128
_STEPS = {str(steps): steps for steps in range(1, FURTHEST + 1)}


@cache
def parse_action(token: str) -> Action:
    """Parse a token. :raises MoveSyntaxError: when it is not a swap, march, move out, attack, `QG` or `pass`."""
    if pair := _PAIR.fullmatch(token):
        return _READ[pair[2]](token, _cell(token, pair[1]), _cell(token, pair[3]))
    if run := _MARCH.fullmatch(token):
        return _parse_march(token, *run.groups())
    if token == _GAMBIT:
        return Gambit()
    if token == _PASS:
        return Pass()
    raise MoveSyntaxError("AGN-MOVE-1", "{token!r} is not an action of Army Ants.", token=token)


@cache
def parse_free_action(token: str) -> Action:
    """Parse a token of the free rules. :raises MoveSyntaxError: as by the standard ones."""
    action = parse_action(token)
    return free_move_out(action.start, action.end) if isinstance(action, MoveOut) else action


def _cell(token: str, name: str) -> int:
    if name not in CELLS:
        raise MoveSyntaxError("ARMY-BOARD-1", "{cell!r} in {token!r} is not a cell; the cells are a1 to e8.",
                              cell=name, token=token)  # fmt: skip
    return CELLS[name]


def _parse_swap(token: str, one: int, other: int) -> Swap:
    if place_of(one) >= place_of(other):
        sentence = marked(
            "{token!r} must name two cells in order: west before east or, in one column, south before north."
        )
        raise MoveSyntaxError("ARMY-SWAP-1", sentence, token=token)
    return swap(one, other)


def _parse_move_out(token: str, start: int, end: int) -> MoveOut:
    if start == end:
        raise MoveSyntaxError("ARMY-OUT-1", "{token!r} starts and ends on the same cell.", token=token)
    return move_out(start, end)


def _parse_attack(token: str, start: int, end: int) -> Attack:
    if start == end:
        raise MoveSyntaxError("ARMY-ATTACK-1", "{token!r} starts and ends on the same cell.", token=token)
    return attack(start, end)


_READ: dict[str, Callable[[str, int, int], Action]] = {"~": _parse_swap, ">": _parse_move_out, "x": _parse_attack}


def _parse_march(token: str, first: str, last: str | None, side: str, steps: str) -> March:
    start = _cell(token, first)
    end = _cell(token, last) if last else start
    if first == last:
        sentence = marked("{token!r} names one card alone, which is written without a -: {due}.")
        raise MoveSyntaxError("ARMY-MARCH-1", sentence, token=token, due=f"{first}{side}{steps}")
    if last and (start >= end or not line(start, end)):
        sentence = marked(
            "{token!r} does not name a run: it must be in one row or column, written from its west or south end."
        )
        raise MoveSyntaxError("ARMY-MARCH-1", sentence, token=token)
    if steps not in _STEPS:
        raise MoveSyntaxError(
            "ARMY-MARCH-1", "{token!r} is not a march of 1 to {most} cells.", token=token, most=FURTHEST
        )
    return march(start, end, SIDES.index(side), _STEPS[steps])


def format_action(action: Action) -> str:
    """Write an action; undoes `parse_action`."""
    match action:
        case Swap(one, other):
            return f"{NAMES[one]}~{NAMES[other]}"
        case March(run, side, steps):
            last = f"-{NAMES[run[-1]]}" if len(run) > 1 else ""
            return f"{NAMES[run[0]]}{last}{SIDES[side]}{steps}"
        case MoveOut(start, end):
            return f"{NAMES[start]}>{NAMES[end]}"
        case Attack(start, end):
            return f"{NAMES[start]}x{NAMES[end]}"
        case Gambit():
            return _GAMBIT
    return _PASS


def parse_deal(text: str) -> bytes:
    """Read the `Setup` tag: the card on each cell. :raises TagError: (ARMY-SETUP-1, ARMY-BOARD-2)."""
    if len(text) != _LENGTH or not text.isascii() or text[WIDTH :: WIDTH + 1] != _ENDS or text[_GAPS] != _EMPTY * 2:
        _check_letters(text)
    codes, cards = text.encode(), list[int]()
    for seat in (RED, BLACK):
        following = _FIRST[seat].copy()
        for place in _PLACES[seat]:
            code = codes[place]
            card = following[code]
            cards.append(card)
            if card != NOTHING:
                following[code] = card + 1
        if following != _BEYOND[seat]:
            _check_letters(text)
            raise _surplus("".join(reversed(text.split("/"))))
    return bytes(cards)


def _hand(seat: int, *, after: bool) -> list[int]:
    """Return, by the code of a rank's letter, a colony's first card of that rank, or the number after its last."""
    hand = [NOTHING] * _ASCII
    for (of, letter), numbers in DEALT.items():
        if of == seat:
            hand[ord(letter)] = numbers[-1] + 1 if after else numbers[0]
    return hand


_FIRST = [_hand(seat, after=False) for seat in (RED, BLACK)]
"""The numbers that the cards of each colony get, as they lie; of a letter that is no rank, none."""
_BEYOND = [_hand(seat, after=True) for seat in (RED, BLACK)]
"""Which numbers would come after all cards are dealt."""


_PLACES = [[(ROWS - 1 - cell // WIDTH) * (WIDTH + 1) + cell % WIDTH for cell in range(seat * HALF, (seat + 1) * HALF)]
           for seat in (RED, BLACK)]  # fmt: skip
"""For each cell on the side of each colony, where its rank is in `Setup`."""


def _surplus(letters: str) -> TagError:
    """Return the cell of the first surplus card: if one rank has too few cards, another has too many."""
    left = {hand: len(numbers) for hand, numbers in DEALT.items()}
    for cell, letter in enumerate(letters):
        hand = side_of(cell), letter
        if left.get(hand) == 0:
            return TagError(
                "Setup",
                "ARMY-BOARD-2",
                "The {rank} on {cell} is one too many: a colony has fewer of this rank.",
                rank=letter,
                cell=NAMES[cell],
            )
        left[hand] = left.get(hand, 0) - 1
    raise ValueError(f"nothing is wrong with {letters}")


def _check_letters(text: str) -> None:
    """Check that there is a rank on each cell but two. :raises TagError: (ARMY-SETUP-1)."""
    rows = text.split("/")
    if len(rows) != ROWS:
        raise _misdealt(
            marked("Setup has {rows}; expected eight, from row 8 to row 1."),
            rows=counted("{count} row", "{count} rows", len(rows)),
        )
    for number, row in zip(range(ROWS, 0, -1), rows, strict=True):
        if len(row) != WIDTH:
            raise _misdealt(
                marked("Row {row} of Setup has {cells}; expected five."),
                row=number, cells=counted("{count} cell", "{count} cells", len(row)),
            )  # fmt: skip
    letters = "".join(reversed(rows))
    for cell, letter in enumerate(letters):
        if cell in GAP and letter != _EMPTY:
            raise _misdealt(
                marked("Setup has {letter!r} on {cell}, which must be empty."), letter=letter, cell=NAMES[cell]
            )
        if cell not in GAP and letter not in RANKS:
            raise _misdealt(
                marked("{letter!r} on {cell} is not a rank; the ranks are {ranks}."),
                letter=letter,
                cell=NAMES[cell],
                ranks=RANKS[::-1],
            )


def _misdealt(template: str, **params: object) -> TagError:
    return TagError("Setup", "ARMY-SETUP-1", template, **params)


__all__ = ["format_action", "parse_action", "parse_deal", "parse_free_action"]
