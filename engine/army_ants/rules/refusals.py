"""Why an action of Army Ants is not legal: the reason that a person would name first."""

from engine.army_ants.board import (
    BLACK,
    HOME,
    NAMES,
    NOTHING,
    OFF,
    RANK,
    RANKS,
    RED,
    cells_of,
    queen_of,
)
from engine.army_ants.state import BATTLE, OVER, SETUP, Action, Attack, Gambit, March, MoveOut, State, Swap
from engine.ruleset import IllegalMoveError
from engine.words import marked


def of(state: State, action: Action) -> IllegalMoveError:
    """Return why an action is not legal."""
    match action:
        case Swap():
            return of_swap(state, action)
        case March():
            return of_march(state, action)
        case MoveOut():
            return of_move_out(state, action)
        case Attack():
            return of_attack(state, action)
    return of_gambit(state) if isinstance(action, Gambit) else of_pass(state)


def _at(rule: str, template: str, cell: int) -> IllegalMoveError:
    return IllegalMoveError(rule, template, cell=NAMES[cell])


def _is_own(state: State, cell: int) -> bool:
    return bool(state.held[state.seat] >> cell & 1)


def _first_held(state: State, cells: int) -> int:
    return cells_of(cells & (state.held[RED] | state.held[BLACK]))[0]


def after_the_end() -> IllegalMoveError:
    """Return the refusal of any action after the end."""
    return IllegalMoveError("AGN-MOVE-4", "The game already ended with the previous action.")


def _out_of_turn(state: State, cells: tuple[int, ...]) -> IllegalMoveError | None:
    """Return why nobody, or only the other colony, could act from these cells (ARMY-TURN-1)."""
    if state.phase == OVER:
        return after_the_end()
    if not all(state.held[1 - state.seat] >> cell & 1 for cell in cells):
        return None
    if state.seat == RED:
        return _at("ARMY-TURN-1", marked("It is Red’s turn; the card on {cell} is Black’s."), cells[0])
    return _at("ARMY-TURN-1", marked("It is Black’s turn; the card on {cell} is Red’s."), cells[0])


def of_swap(state: State, action: Swap) -> IllegalMoveError:
    """Return why two cards cannot change places."""
    cells = action.one, action.other
    if refusal := _out_of_turn(state, cells):
        return refusal
    for cell in cells:
        if state.cards[cell] == NOTHING:
            return _at("ARMY-SWAP-1", marked("A swap needs two cards; {cell} is empty."), cell)
    for cell in cells:
        if not _is_own(state, cell):
            return _at(
                "ARMY-SWAP-1",
                marked("A colony can swap only its own cards; the one on {cell} is the opponent’s."),
                cell,
            )
    return IllegalMoveError("ARMY-SWAP-1", "Only neighbouring cards can swap; {one} and {other} do not touch.",
                            one=NAMES[action.one], other=NAMES[action.other])  # fmt: skip


def of_march(state: State, action: March) -> IllegalMoveError:
    """Return why a run cannot march."""
    if refusal := _out_of_turn(state, action.run):
        return refusal
    for cell in action.run:
        if state.cards[cell] == NOTHING:
            return _at("ARMY-MARCH-1", marked("There is no card to march on {cell}."), cell)
        if not _is_own(state, cell):
            return _at(
                "ARMY-MARCH-1",
                marked("A colony can march only its own cards; the one on {cell} is the opponent’s."),
                cell,
            )
    if action.path == OFF:
        return IllegalMoveError("ARMY-MARCH-2", "This march leads off the board.")
    if state.phase == SETUP and action.landed & ~HOME[state.seat]:
        sentence = marked("In the setup phase cards stay on their own side; this march leads to {cell}.")
        return _at("ARMY-SETUP-3", sentence, cells_of(action.landed & ~HOME[state.seat])[0])
    return _at("ARMY-MARCH-2", marked("The march is blocked by the card on {cell}."), _first_held(state, action.path))


def not_straight(cell: int) -> IllegalMoveError:
    """Return why a run cannot march to a cell that is in no row or column of its ends."""
    return _at(
        "ARMY-MARCH-2", marked("Cards that march together go straight; {cell} is in another row and column."), cell
    )


def of_move_out(state: State, action: MoveOut) -> IllegalMoveError:
    """Return why a card cannot move out."""
    begin, end = action.start, action.end
    if refusal := _out_of_turn(state, (begin,)):
        return refusal
    if state.phase == SETUP:
        return IllegalMoveError("ARMY-SETUP-2", "Cards cannot move out in the setup phase.")
    if state.cards[begin] == NOTHING:
        return _at("ARMY-OUT-1", marked("There is no card to move out on {cell}."), begin)
    if state.cards[end] != NOTHING:
        return _at("ARMY-OUT-1", marked("A card can move out only to an empty cell; there is a card on {cell}."), end)
    sentence = (
        marked("No path of empty cells leads from {start} to {end}.")
        if action.free
        else marked("Every way from {start} to {end} along one row and one column is blocked.")
    )
    return IllegalMoveError("ARMY-OUT-1", sentence, start=NAMES[begin], end=NAMES[end])


def one_attacks() -> IllegalMoveError:
    """Return why a run cannot attack."""
    return IllegalMoveError("ARMY-ATTACK-1", "Cards march together, but only a single card attacks.")


def of_attack(state: State, action: Attack) -> IllegalMoveError:
    """Return why a card cannot attack another one."""
    begin = action.start
    if refusal := _out_of_turn(state, (begin,)):
        return refusal
    if state.phase == SETUP:
        return IllegalMoveError("ARMY-SETUP-2", "Cards cannot attack in the setup phase.")
    if state.cards[begin] == NOTHING:
        return _at("ARMY-ATTACK-1", marked("There is no card to attack with on {cell}."), begin)
    if state.cards[begin] == queen_of(state.seat):
        return _at("ARMY-ATTACK-3", marked("The card on {cell} is a queen, and queens cannot attack."), begin)
    return _of_prey(state, action)


def _of_prey(state: State, action: Attack) -> IllegalMoveError:
    begin, end = action.start, action.end
    if state.cards[end] == NOTHING:
        return _at("ARMY-ATTACK-1", marked("There is no card to take on {cell}."), end)
    if _is_own(state, end):
        return _at("ARMY-ATTACK-1", marked("The card on {cell} cannot be taken: it is of the same colony."), end)
    if action.path == OFF:
        return IllegalMoveError(
            "ARMY-ATTACK-1",
            "An attack goes along a row or column; {start} and {end} are in different ones.",
            start=NAMES[begin],
            end=NAMES[end],
        )
    if action.path & (state.held[RED] | state.held[BLACK]):
        sentence = marked("The attack is blocked by the card on {cell}.")
        return _at("ARMY-ATTACK-1", sentence, _first_held(state, action.path))
    attacker, prey = (RANKS[RANK[state.cards[cell]]] for cell in (begin, end))
    return IllegalMoveError(
        "ARMY-ATTACK-1",
        "The {attacker} on {start} cannot take the {prey} on {end}, which ranks higher.",
        attacker=attacker,
        start=NAMES[begin],
        prey=prey,
        end=NAMES[end],
    )


def of_gambit(state: State) -> IllegalMoveError:
    """Return why the queen's gambit cannot be played."""
    if state.phase == OVER:
        return after_the_end()
    if state.phase == BATTLE or state.done[state.seat]:
        return IllegalMoveError("ARMY-SETUP-4", "The queen’s gambit must be a colony’s first action.")
    sentence = marked("The queen’s gambit starts in the front row; the queen is on {cell}.")
    return _at("ARMY-SETUP-4", sentence, state.cards.index(queen_of(state.seat)))


def of_pass(state: State) -> IllegalMoveError:
    """Return why a colony cannot pass."""
    if state.phase == OVER:
        return after_the_end()
    if state.phase == SETUP:
        return IllegalMoveError("ARMY-TURN-3", "A colony cannot pass in the setup phase.")
    return IllegalMoveError("ARMY-TURN-3", "A colony can pass only when it has no other legal action.")
