"""The board of Army Ants as lines of text, good enough to play from."""

from collections.abc import Iterable
from functools import cache, lru_cache

from engine.army_ants.board import COLONY, COLUMNS, NOTHING, QUEEN, RANK, ROWS, WIDTH, owner_of
from engine.army_ants.scene.names import letter_of
from engine.army_ants.state import SEATS, SETUP, SETUP_ACTIONS, State, to_act
from engine.rounds import places_listed
from engine.words import Words, lines, words

_FIELD = 5
_KEPT = 1024
_KEY = words("R7 a red 7, BA a black ace, [RQ] the red queen, . nothing, ### the sides are closed.")


def text(state: State) -> Words:
    """Return the board, who is to act, what each colony has taken, and a key to the signs. ASCII only in English."""
    return lines("\n".join(_board(state)), "", *_list(state))


def picture(state: State) -> str:
    """Return the same as plain text, in English."""
    return str(text(state))


def _board(state: State) -> list[str]:
    lines = [_row(row, state.cards[row * WIDTH : (row + 1) * WIDTH]) for row in reversed(range(ROWS))]
    lines.insert(ROWS // 2, "   " + ("#" if state.phase == SETUP else "-") * (_FIELD * WIDTH - 1))
    return [*lines, _line("  ", [f" {column}" for column in COLUMNS])]


@lru_cache(maxsize=_KEPT)
def _row(row: int, cards: bytes) -> str:
    return _line(f"{row + 1:>2}", map(_sign, cards))


def _line(margin: str, signs: Iterable[str]) -> str:
    return (margin + " " + "".join(sign.ljust(_FIELD) for sign in signs)).rstrip()


def _sign(card: int) -> str:
    if card == NOTHING:
        return " ."
    return f"[{_name(card)}]" if RANK[card] == QUEEN else f" {_name(card)}"


@cache
def _name(card: int) -> str:
    return SEATS[owner_of(card)] + letter_of(card)


def _list(state: State) -> tuple[Words, ...]:
    return (
        _when(state),
        *(_colony(state, seat) for seat in range(len(SEATS))),
        _KEY,
    )


def _when(state: State) -> Words:
    if state.outcome:
        places = places_listed(SEATS, state.outcome.placements)
        return words("Pair {pair}, over: {places}.", pair=state.pair, places=places)
    turn = to_act(state) or ""
    if state.phase == SETUP:
        red, black = state.done
        return words("Pair {pair}, setup: {seat} to act; of {most} setup actions R made {red}, B {black}.",
                     pair=state.pair, seat=turn, most=SETUP_ACTIONS, red=red, black=black)  # fmt: skip
    return words("Pair {pair}, battle: {seat} to act.", pair=state.pair, seat=turn)


def _colony(state: State, seat: int) -> Words:
    """Return a colony's cards by number, and those that the other one lost, from the highest down."""
    first = (1 - seat) * COLONY + 1
    on_board = frozenset(state.cards)
    taken = tuple(card for card in reversed(range(first, first + COLONY)) if card not in on_board)
    return _said(seat, state.held[seat].bit_count(), taken)


@lru_cache(maxsize=_KEPT)
def _said(seat: int, in_play: int, taken: tuple[int, ...]) -> Words:
    return words("{seat}: {in_play} in play, has taken {cards}", seat=SEATS[seat],
                 in_play=in_play, cards=" ".join(map(_name, taken)) or words("nothing"))  # fmt: skip
