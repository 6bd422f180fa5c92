"""What to touch for an action of Atta Ants: a card in hand and its cell, an ant and the cards that it walks to."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Final

from engine.atta_ants.board import CARDS, LETTERS, ROTATIONS, SIDES, STEP, Card, Cell, letter_of
from engine.atta_ants.laying import GROUPS, LAYING, drawn, place_of
from engine.atta_ants.misses import meant
from engine.atta_ants.notation import SYMBOLS, format_action
from engine.atta_ants.rules import stayed
from engine.atta_ants.rules.refusals import to_end_turn
from engine.atta_ants.scene.captions import leaf_action, walking
from engine.atta_ants.scene.drawings import SPIDER_MIDDLE, symbol_of
from engine.atta_ants.scene.layout import ant_stands, centre, crowd
from engine.atta_ants.scene.traces import course
from engine.atta_ants.state import ANTS, PLACE, Action, AntMove, Placing, SpiderStep, State, cell_name
from engine.scene.values import GROUND
from engine.touches import CHOICE, SPOT, Ghost, Must, PickedCard, Picker, Spelling, Touch, Touching
from engine.words import words

_MIDDLE: Final[Cell] = (0, 0)
"""The cell in whose colours a card is drawn that lies nowhere yet."""
_STEPS: Final = 2
_PLACINGS: Final = 4096
"""Placings whose touches a process keeps, some three megabytes: an unknown deck has 1,500 in one position."""


def _spell(state: State, action: Action) -> tuple[Spelling, ...]:
    match action:
        case Placing(card, cell):
            return (_placing(card, cell),)
        case AntMove(ant, parts):
            begin = state.board.cells[state.ants[state.table.ants[ant]]]
            first = Touch(ant, f"{ant}:", words("Ant {ant}", ant=ant))
            return tuple((first, *walk) for walk in _walks(ant, begin, parts))
        case SpiderStep(number, side):
            return (_spider(number, side, state.board.cells[state.spiders[number - 1]]),)
    return ((Touch(f"{CHOICE}/", "/", words("End turn")),),)


# Cards


@lru_cache(_PLACINGS)
def _placing(card: Card, cell: Cell | None) -> Spelling:
    token, upright = format_action(Placing(card, cell)), ROTATIONS[card.kind][0].code
    in_hand = Touch(f"{CHOICE}card:{upright}", "", words("Card {card}", card=upright))
    if cell is None:
        return in_hand, Touch(f"{CHOICE}aside:{card.code}", token, words("Set aside as {card}", card=card.code))
    turn = Touch(f"{CHOICE}turn:{card.code}", token, words("as {card}", card=card.code), (_lying(card, cell),))
    return in_hand, _place(cell), turn


@lru_cache
def _place(cell: Cell) -> Touch:
    return Touch(f"{SPOT}{cell_name(cell)}", "", words("at {cell}", cell=cell_name(cell)), place=place_of(cell))


def _lying(card: Card, cell: Cell) -> Ghost:
    """Return a preview of a card as it will lie: the drawing of its kind, rotated."""
    symbol, quarters = drawn(card)
    return Ghost(f"card:{cell_name(cell)}", *centre(cell), 90 * quarters, symbol, GROUND)


# Ants and spiders


def _walks(ant: str, begin: Cell, parts: tuple[str, ...]) -> Iterator[Spelling]:
    """Return a move, touch by touch; two steps in a row also as a single touch, unless they lead back."""
    yield tuple(_touches(ant, begin, parts))
    for at in range(len(parts) - 1):
        first, then = parts[at : at + _STEPS]
        if first in SIDES and then in SIDES and SIDES.index(first) != SIDES.index(then) ^ 2:
            yield tuple(_touches(ant, begin, (*parts[:at], first + then, *parts[at + _STEPS :])))


def _touches(ant: str, begin: Cell, parts: tuple[str, ...]) -> Iterator[Touch]:
    cell, walked = begin, False
    for part in parts:
        if part[0] in SIDES:
            cells = list(accumulate(part, _next, initial=cell))
            cell = cells[-1]
            yield _step(ant, tuple(cells), part, on=walked)
            walked = True
        else:
            target = part[1:] if part[0] == "x" else CHOICE + part
            yield Touch(target, part, leaf_action(part))


def _next(cell: Cell, side: str) -> Cell:
    dx, dy = STEP[SIDES.index(side)]
    return cell[0] + dx, cell[1] + dy


@lru_cache(maxsize=4096)
def _step(ant: str, cells: tuple[Cell, ...], sides: str, *, on: bool) -> Touch:
    reach, _ = crowd(1)
    turn = SIDES.index(sides[-1]) * 90
    symbol, x, y, size = ant_stands(centre(cells[-1]), reach, turn)
    ghost = Ghost(ant, x, y, turn, symbol, size=size)
    label = walking(*sides, on=on and len(sides) == 1)
    way = tuple((round(x, 1), round(y, 1)) for x, y in course(list(cells), sides))
    return Touch(f"card:{cell_name(cells[-1])}", sides, label, (ghost,), way, str(len(sides)))


def _spider(number: int, side: str, begin: Cell) -> Spelling:
    name, end = f"S{number}", _next(begin, side)
    x, y = centre(end)
    way = course([begin, end], side)
    step = Touch(f"card:{cell_name(end)}", side, walking(side), (Ghost(name, x, y + SPIDER_MIDDLE),), way)
    return Touch(name, f"{name}:", words("Spider S{number}", number=number)), step


# Duties and questions


def _musts(state: State) -> tuple[Must, ...]:
    if state.phase != ANTS:
        return ()
    return tuple(Must(ant, to_end_turn(ant)) for ant in stayed(state))


def _picker(state: State) -> Picker | None:
    if state.phase != PLACE:
        return None
    groups = tuple((label, tuple(_cards(state, symbol))) for symbol, label in GROUPS.items())
    return Picker(words("Which card was drawn?"), groups)


def _cards(state: State, symbol: str) -> Iterator[PickedCard]:
    """Return the cards of a symbol that are or were in the deck, including those on the table."""
    by_code, lying = state.table.by_code, [card for card in state.board.cards[1:] if card.symbol == symbol]
    known = {*state.stock, *[card.letter for card in lying]} if by_code else set(LETTERS.values())
    for kind, (card, *_) in ROTATIONS.items():
        if card.symbol == symbol and card.letter in known:
            left = state.stock.count(letter_of(card, by_code=by_code))
            of = left + sum(other.kind == kind for other in lying) if by_code else SYMBOLS[symbol]
            yield PickedCard(
                card.code, symbol_of(card, _MIDDLE), left, of, words("Card {card}", card=card.code), shared=not by_code
            )


def _plays(action: Action, code: str) -> bool:
    """Return whether an action plays this card, or is not a placing at all."""
    card = CARDS.get(code)
    return not isinstance(action, Placing) or (card is not None and action.card.kind == card.kind)


TOUCHING: Final[Touching[State, Action]] = Touching(
    spell=_spell, meant=meant, musts=_musts, picker=_picker, laying=LAYING, plays=_plays
)

__all__ = ["TOUCHING"]
