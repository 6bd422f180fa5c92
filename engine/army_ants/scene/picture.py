"""The board of Army Ants as lines of text, good enough to play from."""

from engine.army_ants.board import COLONY, COLUMNS, NOTHING, QUEEN, RANK, ROWS, WIDTH, owner_of
from engine.army_ants.scene.names import letter_of
from engine.army_ants.state import SEATS, SETUP, SETUP_ACTIONS, State, to_act
from engine.rounds import places_listed
from engine.words import Words, lines, words

_FIELD = 5


def text(state: State) -> Words:
    """Return the board, who is to act, what each colony has taken, and a key to the signs. ASCII only in English."""
    return lines("\n".join(_board(state)), "", *_list(state))


def picture(state: State) -> str:
    """Return the same as plain text, in English."""
    return str(text(state))


def _board(state: State) -> list[str]:
    lines = [_row(state, row) for row in reversed(range(ROWS))]
    lines.insert(ROWS // 2, "   " + ("#" if state.phase == SETUP else "-") * (_FIELD * WIDTH - 1))
    return [*lines, _line("  ", [f" {column}" for column in COLUMNS])]


def _row(state: State, row: int) -> str:
    return _line(f"{row + 1:>2}", [_sign(state.cards[row * WIDTH + column]) for column in range(WIDTH)])


def _line(margin: str, signs: list[str]) -> str:
    return (margin + " " + "".join(sign.ljust(_FIELD) for sign in signs)).rstrip()


def _sign(card: int) -> str:
    if card == NOTHING:
        return " ."
    return f"[{_name(card)}]" if RANK[card] == QUEEN else f" {_name(card)}"


def _name(card: int) -> str:
    return SEATS[owner_of(card)] + letter_of(card)


def _list(state: State) -> tuple[Words, ...]:
    return (
        _when(state),
        *(_colony(state, seat) for seat in range(len(SEATS))),
        words("R7 a red 7, BA a black ace, [RQ] the red queen, . nothing, ### the sides are closed."),
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
    taken = [_name(card) for card in reversed(range(first, first + COLONY)) if card not in state.cards]
    return words("{seat}: {in_play} in play, has taken {cards}", seat=SEATS[seat],
                 in_play=state.held[seat].bit_count(), cards=" ".join(taken) or words("nothing"))  # fmt: skip
