"""Why an action of Atta Ants is not legal: the reason that a person would name first."""

from engine.atta_ants.board import LEAF, NEST, NOWHERE, PLAIN, SIDES, SPIDER, Card, Cell, letter_of, slots_around
from engine.atta_ants.rules.position import NEST_HOLDS, NO_WALK, Position
from engine.atta_ants.rules.steps import NO_PARTS, numbers_of, packed
from engine.atta_ants.state import (
    ANTS,
    COLONIES,
    COLONY,
    PLACE,
    SPIDERS,
    Action,
    AntMove,
    EndTurn,
    Placing,
    SpiderStep,
    State,
    cell_name,
    in_play,
    next_choice,
)
from engine.ruleset import IllegalMoveError
from engine.words import Words, counted, marked, words

_SIDE_NAME = {"N": words("north"), "E": words("east"), "S": words("south"), "W": words("west")}
_NO_MORE = {
    PLAIN: marked("The deck has no plain card like {card} left."),
    LEAF: marked("The deck has no leaf card like {card} left."),
    SPIDER: marked("The deck has no spider card like {card} left."),
}


def of(state: State, action: Action) -> IllegalMoveError:
    """Return why an action is not legal."""
    match action:
        case Placing(card, cell):
            return _of_placing(state, card, cell)
        case AntMove():
            return _of_move(state, action)
        case EndTurn():
            return _of_end_of_turn(state)
    return _of_choice(state, action)


_LAID_BEFORE_TURNS = marked("A card can be laid only at the start of a round; now the colonies move their ants.")
_LAID_BEFORE_CHOICES = marked(
    "A card can be laid only at the start of a round; now the first player chooses where the spiders go."
)
_CARD_FIRST = marked("The first player must lay a card before anything else in the round.")
_TURNS_ARE_OVER = marked("All turns of this round are over; now the first player chooses where the spiders go.")
_TURNS_FIRST = marked("Spiders move only after all colonies have ended their turns.")
_OVER = marked("The game is over.")
_PLACING, _MOVING, _CHOOSING = range(3)
_OUT_OF_PHASE = {
    (_PLACING, ANTS): _LAID_BEFORE_TURNS,
    (_PLACING, SPIDERS): _LAID_BEFORE_CHOICES,
    (_MOVING, PLACE): _CARD_FIRST,
    (_MOVING, SPIDERS): _TURNS_ARE_OVER,
    (_CHOOSING, PLACE): _CARD_FIRST,
    (_CHOOSING, ANTS): _TURNS_FIRST,
}
"""Why what belongs to one part of a round is not allowed in another one."""


def _out_of_phase(state: State, what: int, rule: str = "ATTA-PHASE-1") -> IllegalMoveError:
    return IllegalMoveError(rule, _OUT_OF_PHASE.get((what, state.phase), _OVER))


# Placing


def _of_placing(state: State, card: Card, cell: Cell | None) -> IllegalMoveError:
    if state.phase != PLACE:
        return _out_of_phase(state, _PLACING, "ATTA-PLACE-3")
    if letter_of(card, by_code=state.table.by_code) not in state.stock:
        return IllegalMoveError("ATTA-DECK-2", _NO_MORE[card.symbol], card=card.code)
    if cell is None:
        return IllegalMoveError(
            "ATTA-PLACE-4", "Card {card} fits somewhere, so it cannot be set aside.", card=card.code
        )
    name = cell_name(cell)
    if state.board.slot_at(cell) != NOWHERE:
        return IllegalMoveError("ATTA-PLACE-2", "There is already a card at {cell}.", cell=name)
    if max(slots_around(state.board, cell)) == NOWHERE:
        return IllegalMoveError("ATTA-PLACE-2", "There is no card next to {cell}.", cell=name)
    sentence = marked("Card {card} does not fit at {cell}: trail must meet trail, and grass must meet grass.")
    return IllegalMoveError("ATTA-PLACE-2", sentence, card=card.code, cell=name)


# Ants


_OTHERS_ANT = {
    "R": marked("It is {colony}’s turn; {ant} is a red ant."),
    "Y": marked("It is {colony}’s turn; {ant} is a yellow ant."),
    "O": marked("It is {colony}’s turn; {ant} is an orange ant."),
    "B": marked("It is {colony}’s turn; {ant} is a brown ant."),
}


def _of_move(state: State, action: AntMove) -> IllegalMoveError:
    if state.phase != ANTS:
        return _out_of_phase(state, _MOVING)
    ant = state.table.ants.get(action.ant, NOWHERE)
    if ant // COLONY != state.queue[0]:
        return IllegalMoveError("ATTA-MOVE-1", _OTHERS_ANT[action.ant[0]], ant=action.ant,
                                colony=COLONIES[state.table.seats[state.queue[0]]])  # fmt: skip
    if state.ants[ant] == NOWHERE:
        return _refuse("ATTA-MOVE-1", marked("Ant {ant} is not in play."), action)
    if state.moved >> ant & 1:
        return _refuse("ATTA-MOVE-1", marked("Ant {ant} has already moved this turn."), action)
    if state.new >> ant & 1:
        sentence = marked("Ant {ant} came into play this round and cannot move until the next.")
        return _refuse("ATTA-NEST-3", sentence, action)
    return _of_walk(state, action, ant)


def _of_walk(state: State, action: AntMove, ant: int) -> IllegalMoveError:
    """Return why an ant's move is not legal: what is wrong with its first impossible part."""
    position, parts = Position(state), numbers_of(action)
    at = 0
    before = position.walk(ant, NO_PARTS)
    while (after := position.walk(ant, packed(parts[: at + 1]))) != NO_WALK:
        before, at = after, at + 1
    if before == NO_WALK:
        raise ValueError(f"{action} is refused before it begins")
    slot, laden, leaf_at, _, _, home = before
    if home:
        return _refuse("ATTA-NEST-1", marked("Ant {ant} brought its leaf into the nest and must stop there."), action)
    if action.sides[at] == NOWHERE:
        return _of_leaf(action, action.parts[at], acted=leaf_at != NOWHERE, carries=bool(laden >> ant & 1))
    came_by = max(action.sides[:at], default=NOWHERE)
    return _of_step(state, action, (slot, bool(laden >> ant & 1)), (came_by, action.sides[at]))


def _of_step(state: State, action: AntMove, ant: tuple[int, bool], sides: tuple[int, int]) -> IllegalMoveError:
    """Return why an ant cannot make a step.

    :param ant: its slot, and whether it carries a leaf.
    :param sides: by which side it came, and by which it wants to go on.
    """
    (slot, laden), (came_by, side) = ant, sides
    target, name = state.board.around(slot)[side], _SIDE_NAME[SIDES[side]]
    if target == NOWHERE:
        return _refuse("ATTA-MOVE-2", marked("Ant {ant} cannot step {side}: there is no card."), action, side=name)
    if target in state.spiders:
        return _refuse("ATTA-MOVE-4", marked("Ant {ant} cannot step {side}: there is a spider."), action, side=name)
    if came_by != NOWHERE and not state.board.cards[slot].joined[came_by ^ 2] >> side & 1:
        sentence = marked("Ant {ant} cannot take a second step: no trail leads {side}.")
        return _refuse("ATTA-MOVE-3", sentence, action, side=name)
    if state.ants[state.table.ants[action.ant]] == NEST:
        sentence = marked("Ant {ant} left the nest and cannot return in the same round.")
        return _refuse("ATTA-NEST-5", sentence, action)
    return _too_many_in_nest(state, action, laden=laden)


def _too_many_in_nest(state: State, action: AntMove, *, laden: bool) -> IllegalMoveError:
    """Return why an ant cannot enter the nest, counting the ant that its leaf would bring (ATTA-NEST-2)."""
    seat = state.table.ants[action.ant] // COLONY
    born = laden and in_play(state, seat) < COLONY
    inside = state.ants[seat * COLONY : (seat + 1) * COLONY].count(NEST) + 1 + born
    sentence = (
        marked("With ant {ant} and the ant for its leaf, {colony} would have {count} ants in the nest.")
        if born
        else marked("With ant {ant}, {colony} would have {count} ants in the nest.")
    )
    count = words("four") if inside > NEST_HOLDS + 1 else words("three")
    return _refuse("ATTA-NEST-2", sentence, action, colony=COLONIES[action.ant[0]], count=count)


def _of_leaf(action: AntMove, part: str, *, acted: bool, carries: bool) -> IllegalMoveError:
    if acted:
        return _refuse("ATTA-LEAF-5", marked("Ant {ant} can take or put down a leaf only once in a move."), action)
    if part == "-":
        return _refuse("ATTA-LEAF-3", marked("Ant {ant} has no leaf to put down."), action)
    if carries:
        return _refuse("ATTA-LEAF-1", marked("Ant {ant} is already carrying a leaf."), action)
    if part == "+":
        return _refuse("ATTA-LEAF-2", marked("There is no leaf on the card of ant {ant}."), action)
    return IllegalMoveError(
        "ATTA-LEAF-4",
        "Ant {ant} cannot take a leaf from {robbed}: no such ant with a leaf is on the same card.",
        ant=action.ant,
        robbed=part[1:],
    )


def _refuse(rule: str, template: str, action: AntMove, **more: Words) -> IllegalMoveError:
    return IllegalMoveError(rule, template, ant=action.ant, **more)


def _of_end_of_turn(state: State) -> IllegalMoveError:
    if state.phase != ANTS:
        return _out_of_phase(state, _MOVING, "ATTA-TURN-1")
    return to_end_turn(state.table.ant_name(Position(state).must_leave()))


def to_end_turn(ant: str) -> IllegalMoveError:
    """Return why a turn cannot end while an ant stays in the nest."""
    return IllegalMoveError("ATTA-NEST-4", "Ant {ant} was in the nest when the turn began and must leave it.", ant=ant)


def too_far(ant: str, cell: Cell) -> IllegalMoveError:
    """Return why an ant cannot go to a cell that is more than two steps away."""
    sentence = marked("Ant {ant} takes at most two steps; {cell} is farther away.")
    return IllegalMoveError("ATTA-MOVE-3", sentence, ant=ant, cell=cell_name(cell))


# Spiders


def not_beside(number: int, cell: Cell) -> IllegalMoveError:
    """Return why a spider cannot go to a cell that is not beside it."""
    sentence = marked("Spider S{number} moves to a neighbouring card; {cell} is not next to it.")
    return IllegalMoveError("ATTA-SPIDER-4", sentence, number=number, cell=cell_name(cell))


def _of_choice(state: State, action: SpiderStep) -> IllegalMoveError:
    if action.number > len(state.spiders):
        return IllegalMoveError(
            "ATTA-SPIDER-5",
            "There is no spider S{number}; {spiders}.",
            number=action.number,
            spiders=counted("only S1 is in play", "{count} are in play", len(state.spiders))
            if state.spiders
            else words("none is in play"),
        )
    if state.phase == SPIDERS or (state.phase == PLACE and state.round > 1):
        return _of_spider(state, action)
    return _out_of_phase(state, _CHOOSING)


def _of_spider(state: State, action: SpiderStep) -> IllegalMoveError:
    at = action.number - 1
    if state.phase == PLACE:
        sentence = marked(
            "Spider S{number} moved by itself and is on {cell}: only a choice between several steps is written."
        )
        cell = cell_name(state.board.cells[state.spiders[at]])
        return IllegalMoveError("ATTA-SPIDER-5", sentence, number=action.number, cell=cell)
    if len(state.ways[at]) <= 1:
        sentence = marked("Spider S{number} moves by itself, as it has no choice; the next choice is for S{due}.")
        return IllegalMoveError("ATTA-SPIDER-5", sentence, number=action.number, due=next_choice(state) + 1)
    return _of_side(state, action)


def _of_side(state: State, action: SpiderStep) -> IllegalMoveError:
    spider = next_choice(state)
    if action.number != spider + 1:
        return IllegalMoveError("ATTA-SPIDER-5", "Spider S{due} moves next, not S{number}.",
                                due=spider + 1, number=action.number)  # fmt: skip
    if state.board.around(state.spiders[spider])[SIDES.index(action.side)] == NEST:
        return IllegalMoveError("ATTA-SPIDER-6", "Spider S{number} cannot step {side}: spiders cannot enter the nest.",
                                number=action.number, side=_SIDE_NAME[action.side])  # fmt: skip
    sentence = marked("A step {side} does not bring spider S{number} closer to one of its nearest targets.")
    return IllegalMoveError("ATTA-SPIDER-4", sentence, side=_SIDE_NAME[action.side], number=action.number)


__all__ = ["not_beside", "of", "to_end_turn", "too_far"]
