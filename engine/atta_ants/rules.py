"""What is legal in Atta Ants, what an action does, and who has won. Every refusal names its rule.

Long, for it is the game's whole rulebook in the order of RULES.md, and a rule has one home.
"""

from collections.abc import Callable, Iterator
from typing import Any

from engine.atta_ants.board import (
    CARDS,
    LEAF,
    NEST,
    NOWHERE,
    PLAIN,
    ROTATIONS,
    SIDES,
    SPIDER,
    Board,
    Card,
    Cell,
    distances,
    edges_wanted,
    lay,
    lay_ring,
    misfit,
    open_cells,
    places,
)
from engine.atta_ants.state import (
    ANTS,
    COLONY,
    OVER,
    PLACE,
    SPIDERS,
    TURN,
    Action,
    AntMove,
    EndTurn,
    Placing,
    SpiderStep,
    State,
    Table,
    Turn,
    ant_move,
    in_play,
    with_ants,
    with_card,
    with_next_round,
    with_next_turn,
)
from engine.ruleset import IllegalMoveError, Outcome, TagError, accepted, one_by_one
from engine.words import Words, marked, words

LEAVES_ON_A_CARD = 2
NEST_HOLDS = 2

_SIDE = {name: side for side, name in enumerate(SIDES)}
_SIDE_NAME = {"N": words("north"), "E": words("east"), "S": words("south"), "W": words("west")}
_NO_MORE = {
    PLAIN: marked("The deck holds no plain card like {card} any more."),
    LEAF: marked("The deck holds no leaf card like {card} any more."),
    SPIDER: marked("The deck holds no spider card like {card} any more."),
}


# Setup


def start(table: Table, stock: tuple[str, ...], ring: tuple[Card, ...]) -> State:
    """The position before the first card: the ring laid, two ants of each colony in the nest.

    :raises TagError: when the ring does not fit together (ATTA-PLACE-2) or the deck does not hold it (ATTA-DECK-2).
    """
    board = lay_ring(ring)
    slot = misfit(board)
    if slot is not None:
        raise TagError("Setup", "ATTA-PLACE-2", "Card {card} at {cell} does not meet its neighbours trail to trail.",
                       card=board.cards[slot].code, cell=_cell_name(board.cells[slot]))  # fmt: skip
    for card in ring:
        kind = _kind(table, card)
        if kind not in stock:
            raise TagError("Setup", "ATTA-DECK-2", "Card {card} of the ring is one more than the deck holds.",
                           card=card.code)  # fmt: skip
        stock = _without(stock, kind)
    seats = len(table.seats)
    return State(
        table=table, board=board, stock=stock, round=1, phase=PLACE, first=0, queue=(),
        ants=((NEST,) * 2 + (NOWHERE,) * (COLONY - 2)) * seats, laden=0, moved=0, new=0,
        leaves=tuple(_leaves_on(card) for card in board.cards),
        spiders=tuple(slot for slot, card in enumerate(board.cards) if card.symbol == SPIDER),
        ways=(), chosen=(), eaten=(0,) * seats, out=frozenset(), left=(), outcome=None,
    )  # fmt: skip


def _leaves_on(card: Card) -> int:
    return LEAVES_ON_A_CARD if card.symbol == LEAF else 0


def _kind(table: Table, card: Card) -> str:
    return card.kind if table.by_code else card.symbol


def _without(stock: tuple[str, ...], kind: str) -> tuple[str, ...]:
    place = stock.index(kind)
    return stock[:place] + stock[place + 1 :]


def _cell_name(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


# Actions


def apply(state: State, action: Action) -> State:
    """The position after an action. :raises IllegalMoveError: with the rule that forbids it here."""
    return _APPLY[type(action)](state, action)


_DUE = {
    PLACE: words("now the first player lays a card"),
    ANTS: words("now a colony moves its ants and ends its turn with /"),
    SPIDERS: words("now the first player chooses for the spiders"),
    OVER: words("the game is over"),
}


def _out_of_phase(state: State, what: Words, rule: str = "ATTA-PHASE-1") -> IllegalMoveError:
    return IllegalMoveError(rule, "{what}: {due}.", what=what, due=_DUE[state.phase])


# Placing


def _place(state: State, action: Placing) -> State:
    if state.phase != PLACE:
        raise _out_of_phase(state, words("No card is laid here"), "ATTA-PLACE-3")
    card, cell = action
    kind = _kind(state.table, card)
    if kind not in state.stock:
        raise IllegalMoveError("ATTA-DECK-2", _NO_MORE[card.symbol], card=card.code)
    stock = _without(state.stock, kind)
    if cell is None:
        _check_set_aside(state.board, card)
        return state._replace(stock=stock, phase=ANTS, queue=_turns(state))
    board, spiders = state.board, state.spiders
    _check_cell(board, cell, card)
    if card.symbol == SPIDER:
        spiders = (*spiders, len(board.cards))
    return with_card(state, lay(board, cell, card), stock, _turns(state), _leaves_on(card), spiders)


def _check_set_aside(board: Board, card: Card) -> None:
    if places(board, card.kind):
        raise IllegalMoveError("ATTA-PLACE-4", "Card {card} fits somewhere, so it must be laid.", card=card.code)


def _check_cell(board: Board, cell: Cell, card: Card) -> None:
    facing, trails = edges_wanted(board, cell)
    if facing and card.edges & facing == trails and cell not in board.at:
        return
    name = _cell_name(cell)
    if cell in board.at:
        raise IllegalMoveError("ATTA-PLACE-2", "A card lies at {cell} already.", cell=name)
    if not facing:
        raise IllegalMoveError("ATTA-PLACE-2", "No card lies next to {cell}.", cell=name)
    sentence = marked("Card {card} does not fit at {cell}: trail must meet trail and grass meet grass.")
    raise IllegalMoveError("ATTA-PLACE-2", sentence, card=card.code, cell=name)


def _turns(state: State) -> tuple[int, ...]:
    """The colonies still in the game, in seat order from the first player."""
    seats = tuple(range(len(state.table.seats)))
    order = seats[state.first :] + seats[: state.first]
    return tuple(seat for seat in order if seat not in state.out) if state.out else order


# Ants


def _move(state: State, action: AntMove) -> State:  # noqa: C901 (see below)
    """An ant's move, one part after the other. One function, for most actions of a game are ants' moves (`bench/`)."""
    turn: Turn = state[TURN]  # type: ignore[assignment]  # a slice forgets what is where
    phase, queue, ants, laden, moved, new, leaves = turn
    if phase != ANTS:
        raise _out_of_phase(state, words("An ant cannot move here"))
    name, parts, sides = action
    ant = state.table.ants.get(name, NOWHERE)
    bit = 1 << ant if ant >= 0 else 0
    if ant // COLONY != queue[0] or ants[ant] == NOWHERE or (moved | new) & bit:
        raise _cannot_move(state, action, ant)
    board = state.board
    near, slot, came_by, home, acted = board.near, ants[ant], NOWHERE, False, False
    for part, side in zip(parts, sides):  # noqa: B905 (as long by construction; a third of the time)
        if home:
            raise _refuse("ATTA-NEST-1", marked("Ant {ant} carried its leaf into the nest and stops there."), action)
        if side >= 0:
            target = near[slot][side]
            if target < 0 or target in state.spiders:
                raise _cannot_step(action, target, part)
            if came_by >= 0 and not board.trails[slot][came_by ^ 2] >> side & 1:
                raise _refuse(
                    "ATTA-MOVE-3",
                    marked("Ant {ant} cannot go two steps: no trail leads on to the {side}."),
                    action,
                    side=_SIDE_NAME[part],
                )
            slot, came_by = target, side
            if target == NEST:
                ants, new, home = _enter_nest(state, action, ant, with_leaf=bool(laden & bit))
                laden &= ~bit
        else:
            if acted:
                raise _refuse("ATTA-LEAF-5", marked("Ant {ant} acts on a leaf a second time in one move."), action)
            acted = True
            laden, leaves = _act_on_leaf(state, action, part, slot, laden)
    ants = ants[:ant] + (slot,) + ants[ant + 1 :]  # noqa: RUF005 (half the time)
    return with_ants(state, ants, laden, moved | bit, new, leaves)


def _cannot_move(state: State, action: AntMove, ant: int) -> IllegalMoveError:
    seat = state.queue[0]
    if ant // COLONY != seat:
        return IllegalMoveError("ATTA-MOVE-1", "Ant {ant} is not of the colony whose turn it is, {colony}.",
                                ant=action.ant, colony=state.table.seats[seat])  # fmt: skip
    if state.ants[ant] == NOWHERE:
        return _refuse("ATTA-MOVE-1", marked("Ant {ant} is not in play."), action)
    if state.moved >> ant & 1:
        return _refuse("ATTA-MOVE-1", marked("Ant {ant} has moved in this turn already."), action)
    return _refuse("ATTA-NEST-3", marked("Ant {ant} came into play in this round and moves from the next on."), action)


def _cannot_step(action: AntMove, target: int, side: str) -> IllegalMoveError:
    if target == NOWHERE:
        return _refuse(
            "ATTA-MOVE-2", marked("Ant {ant} cannot step {side}: no card lies there."), action, side=_SIDE_NAME[side]
        )
    return _refuse(
        "ATTA-MOVE-4", marked("Ant {ant} cannot step {side}: a spider is there."), action, side=_SIDE_NAME[side]
    )


def _refuse(rule: str, template: str, action: AntMove, **more: Words) -> IllegalMoveError:
    return IllegalMoveError(rule, template, ant=action.ant, **more)


def _enter_nest(state: State, action: AntMove, ant: int, *, with_leaf: bool) -> tuple[tuple[int, ...], int, bool]:
    """The ants in play and the new ones when an ant enters the nest, and whether it stops there (ATTA-NEST-1)."""
    ants = state.ants
    if ants[ant] == NEST:
        raise _refuse(
            "ATTA-NEST-5", marked("Ant {ant} has left the nest and does not come back in the same round."), action
        )
    first = ant - ant % COLONY
    colony = ants[first : first + COLONY]
    born = with_leaf and NOWHERE in colony
    if colony.count(NEST) + 1 + born > NEST_HOLDS:
        sentence = marked("With {ant} there would be more than two ants of colony {colony} in the nest.")
        raise IllegalMoveError("ATTA-NEST-2", sentence, ant=action.ant, colony=action.ant[0])
    if not born:
        return ants, state.new, with_leaf
    child = first + colony.index(NOWHERE)
    return (*ants[:child], NEST, *ants[child + 1 :]), state.new | 1 << child, True


def _act_on_leaf(state: State, action: AntMove, part: str, slot: int, laden: int) -> tuple[int, tuple[int, ...]]:
    """The ants that carry leaves, and the leaves that lie, after `+`, `-` or `xY1` on a slot."""
    bit, leaves = 1 << state.table.ants[action.ant], state.leaves
    if part == "-":
        if not laden & bit:
            raise _refuse("ATTA-LEAF-3", marked("Ant {ant} carries no leaf to put down."), action)
        return laden ^ bit, _add_leaf(leaves, slot, 1)
    if laden & bit:
        raise _refuse("ATTA-LEAF-1", marked("Ant {ant} carries a leaf already."), action)
    if part == "+":
        if not leaves[slot]:
            raise _refuse("ATTA-LEAF-2", marked("No leaf lies on the card of ant {ant}."), action)
        return laden | bit, _add_leaf(leaves, slot, -1)
    robbed = state.table.ants.get(part[1:], NOWHERE)
    if robbed < 0 or state.ants[robbed] != slot or not laden >> robbed & 1:
        raise IllegalMoveError("ATTA-LEAF-4", "There is no ant {robbed} with a leaf on the card of ant {ant}.",
                               ant=action.ant, robbed=part[1:])  # fmt: skip
    return laden ^ bit ^ 1 << robbed, leaves


def _add_leaf(leaves: tuple[int, ...], slot: int, count: int) -> tuple[int, ...]:
    return (*leaves[:slot], leaves[slot] + count, *leaves[slot + 1 :])


def _end_turn(state: State, _: EndTurn) -> State:
    if state.phase != ANTS:
        raise _out_of_phase(state, words("No turn ends here"), "ATTA-TURN-1")
    seat = state.queue[0]
    stays = _must_leave_nest(state, seat)
    if stays is not None:
        raise IllegalMoveError("ATTA-NEST-4", "Ant {ant} stood in the nest when its turn began and must leave it.",
                               ant=state.table.ant_name(stays))  # fmt: skip
    return _next_turn(state)


def _must_leave_nest(state: State, seat: int) -> int | None:
    """An ant for which the colony may not end its turn yet (ATTA-NEST-4); none when it may."""
    if NEST not in state.ants[seat * COLONY : (seat + 1) * COLONY]:
        return None
    if all(slot in state.spiders for slot in state.board.near[NEST]):
        return None
    stayed = state.moved | state.new
    for ant in range(seat * COLONY, (seat + 1) * COLONY):
        if state.ants[ant] == NEST and not stayed >> ant & 1:
            return ant
    return None


def _next_turn(state: State) -> State:
    """The turn of the colony that follows, or the spiders."""
    return with_next_turn(state) if len(state.queue) > 1 else _begin_spiders(state)


# Spiders


def _begin_spiders(state: State) -> State:
    ways = _spider_ways(state)
    if any(len(sides) > 1 for sides in ways):
        return state._replace(phase=SPIDERS, queue=(), moved=0, ways=ways, chosen=())
    return _end_round(state, ways)


def _spider_ways(state: State) -> tuple[str, ...]:
    """The sides to which each spider may step (ATTA-SPIDER-2 to 4); none for each when no spider moves."""
    spiders = state.spiders
    outside = [slot for slot in state.ants if slot > NEST]
    if not outside or not spiders:
        return ("",) * len(spiders)
    targets = set(outside)
    if len(targets) < len(outside):
        crowds = {slot: outside.count(slot) for slot in targets}
        most = max(crowds.values())
        targets = {slot for slot, crowd in crowds.items() if crowd == most}
    steps = distances(state.board, targets, spiders)
    near = state.board.near
    ways = []
    for slot in spiders:
        closer = steps[slot] - 1
        north, east, south, west = near[slot]
        ways.append(
            ("N" if north > NEST and steps[north] == closer else "")
            + ("E" if east > NEST and steps[east] == closer else "")
            + ("S" if south > NEST and steps[south] == closer else "")
            + ("W" if west > NEST and steps[west] == closer else "")
        )
    return tuple(ways)


def _next_choice(state: State) -> int:
    """The spider, by its place in the order, that is chosen for next (ATTA-SPIDER-5)."""
    with_choice = [spider for spider, sides in enumerate(state.ways) if len(sides) > 1]
    return with_choice[len(state.chosen)]


def _choose(state: State, action: SpiderStep) -> State:
    if state.phase != SPIDERS:
        raise _out_of_phase(state, words("No choice for a spider is to be made here"))
    spider = _next_choice(state)
    if action.number != spider + 1:
        raise IllegalMoveError("ATTA-SPIDER-5", "The next choice is for spider S{due}, not for S{number}.",
                               due=spider + 1, number=action.number)  # fmt: skip
    if state.board.near[state.spiders[spider]][_SIDE[action.side]] == NEST:
        raise IllegalMoveError("ATTA-SPIDER-6", "Spider S{number} cannot step {side}: spiders never enter the nest.",
                               number=action.number, side=_SIDE_NAME[action.side])  # fmt: skip
    if action.side not in state.ways[spider]:
        sentence = marked("A step {side} begins no shortest way of spider S{number} to a nearest target.")
        raise IllegalMoveError("ATTA-SPIDER-4", sentence, side=_SIDE_NAME[action.side], number=action.number)
    chosen = (*state.chosen, action.side)
    choices = iter(chosen)
    if len(chosen) < sum(len(sides) > 1 for sides in state.ways):
        return state._replace(chosen=chosen)
    ways = tuple(next(choices) if len(sides) > 1 else sides for sides in state.ways)
    return _end_round(state, ways)


def _end_round(state: State, ways: tuple[str, ...]) -> State:
    """All spiders step at once and eat (ATTA-SPIDER-7); then the next round begins, or the game is over."""
    near = state.board.near
    spiders = tuple([near[slot][_SIDE[side]] if side else slot for slot, side in zip(state.spiders, ways, strict=True)])
    if not set(spiders).isdisjoint(state.ants):
        state = _eat(state, [ant for ant, slot in enumerate(state.ants) if slot in spiders])
    counts = [COLONY - state.ants[at : at + COLONY].count(NOWHERE) for at in range(0, len(state.ants), COLONY)]
    out = state.out.union([seat for seat, count in enumerate(counts) if not count]) if 0 in counts else state.out
    ended = _ended(state, counts, len(counts) - len(out))
    if ended:
        return _end(state._replace(spiders=spiders, out=out), ended)
    return with_next_round(state, _next_colony(out, len(counts), state.first), spiders, out)


def _eat(state: State, victims: list[int]) -> State:
    ants, leaves, eaten, laden = list(state.ants), list(state.leaves), list(state.eaten), state.laden
    for ant in victims:
        leaves[ants[ant]] += laden >> ant & 1
        laden &= ~(1 << ant)
        ants[ant] = NOWHERE
        eaten[ant // COLONY] += 1
    return state._replace(ants=tuple(ants), leaves=tuple(leaves), eaten=tuple(eaten), laden=laden)


# The end of a round and of the game


def _ended(state: State, counts: list[int], colonies: int) -> str:
    """The rule by which the game is over at the end of a round (ATTA-END-2 to 4), if it is."""
    if not colonies or (colonies == 1 and state.table.edition.last_colony_wins):
        return "ATTA-END-2"
    if COLONY in counts:
        return "ATTA-END-3"
    return "" if state.stock else "ATTA-END-4"


def _next_colony(out: frozenset[int], seats: int, seat: int) -> int:
    """The next seat in seat order that is still in the game (ATTA-END-5)."""
    seat = (seat + 1) % seats
    while seat in out:
        seat = (seat + 1) % seats
    return seat


def _end(state: State, rule: str, placements: tuple[int, ...] | None = None) -> State:
    outcome = Outcome(placements or _rank(state), rule, _REASONS[rule])
    return state._replace(phase=OVER, queue=(), moved=0, new=0, ways=(), chosen=(), outcome=outcome)


def _rank(state: State) -> tuple[int, ...]:
    """The place of each seat (ATTA-RANK-1, ATTA-RANK-2); who shares a place bears the same number."""
    merits = [_merit(state, seat) for seat in range(len(state.table.seats))]
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


def _merit(state: State, seat: int) -> tuple[int, int, int]:
    if seat in state.left:
        return 0, state.left.index(seat), 0
    eaten = state.eaten[seat] if state.table.edition.eaten_decides else 0
    return 1, in_play(state, seat), -eaten


def leave(state: State) -> State:
    """The position after the colony to act has resigned or run out of time (ATTA-LEAVE-1, ATTA-LEAVE-2)."""
    phase = state.phase
    seat = state.queue[0] if phase == ANTS else state.first
    state = _without_ants(state, seat)
    if len(state.table.seats) - len(state.out) <= 1:
        return _end(state, "ATTA-LEAVE-1")
    if seat == state.first:
        state = state._replace(first=_next_colony(state.out, len(state.table.seats), seat))
    if phase == ANTS:
        return _next_turn(state)
    return state if phase == PLACE else _begin_spiders(state)


def _without_ants(state: State, seat: int) -> State:
    ants, leaves, laden = list(state.ants), list(state.leaves), state.laden
    for ant in range(seat * COLONY, (seat + 1) * COLONY):
        leaves[ants[ant]] += laden >> ant & 1
        laden &= ~(1 << ant)
        ants[ant] = NOWHERE
    return state._replace(
        ants=tuple(ants), leaves=tuple(leaves), laden=laden, out=state.out | {seat}, left=(*state.left, seat)
    )


def agree_draw(state: State) -> State:
    """The position after both of two seats agreed on a draw (AGN-ADMIN-2)."""
    return _end(state, "AGN-ADMIN-2", (1,) * len(state.table.seats))


_REASONS = {
    "ATTA-END-2": marked("Only one colony is left, or none."),
    "ATTA-END-3": marked("A colony has all six ants in play."),
    "ATTA-END-4": marked("The deck is empty."),
    "ATTA-LEAVE-1": marked("At most one colony has not left the game."),
    "AGN-ADMIN-2": marked("The players agreed on a draw."),
}


# Enumeration: candidates in a fixed order, judged by `apply` alone, so that legality is written once


def legal_actions(state: State) -> Iterator[Action]:
    """Every action that `apply` accepts here, administrative ones left out."""
    return accepted(one_by_one(apply, lambda _: 0), lambda action: (action,), state, _CANDIDATES[state.phase](state))


def _placings(state: State) -> Iterator[Action]:
    in_stock = [card for card in CARDS.values() if _kind(state.table, card) in state.stock]
    for cell in open_cells(state.board):
        facing, trails = edges_wanted(state.board, cell)
        yield from (Placing(card, cell) for card in in_stock if card.edges & facing == trails)
    nowhere = {kind for kind in ROTATIONS if not places(state.board, kind)}
    yield from (Placing(card, None) for card in in_stock if card.kind in nowhere)


def _ant_moves(state: State) -> Iterator[Action]:
    seat = state.queue[0]
    bodies = list(_bodies(state))
    for ant in range(seat * COLONY, (seat + 1) * COLONY):
        name = state.table.ant_name(ant)
        if _is_free(state, ant):
            yield from (ant_move(name, body) for body in bodies)
    yield EndTurn()


def _is_free(state: State, ant: int) -> bool:
    return state.ants[ant] != NOWHERE and not (state.moved | state.new) >> ant & 1


def _bodies(state: State) -> Iterator[tuple[str, ...]]:
    """Everything an ant could do in one move, were it allowed: up to two steps and up to one leaf action."""
    walks = [(), *((side,) for side in SIDES), *((one, two) for one in SIDES for two in SIDES)]
    carriers = [f"x{state.table.ant_name(ant)}" for ant in range(len(state.ants)) if state.laden >> ant & 1]
    for walk in walks:
        if walk:
            yield walk
        for place in range(len(walk) + 1):
            yield from ((*walk[:place], act, *walk[place:]) for act in ("+", "-", *carriers))


def _choices(state: State) -> Iterator[Action]:
    spider = _next_choice(state)
    return (SpiderStep(spider + 1, side) for side in state.ways[spider])


def _none(_: State) -> Iterator[Action]:
    return iter(())


_APPLY: dict[type, Callable[[State, Any], State]] = {
    Placing: _place,
    AntMove: _move,
    EndTurn: _end_turn,
    SpiderStep: _choose,
}
_CANDIDATES: dict[str, Callable[[State], Iterator[Action]]] = {
    PLACE: _placings,
    ANTS: _ant_moves,
    SPIDERS: _choices,
    OVER: _none,
}

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "start"]
