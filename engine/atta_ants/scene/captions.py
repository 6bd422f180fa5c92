"""What an action of Atta Ants did, in words."""

from collections.abc import Iterator
from itertools import groupby

from engine.agn.administrative import parse_administrative
from engine.atta_ants.board import LEAF, NEST, SIDES, SPIDER, opposite
from engine.atta_ants.scene.traces import eaten
from engine.atta_ants.state import COLONIES, Action, AntMove, EndTurn, Placing, SpiderStep, State, in_play, outdone
from engine.ruleset import Outcome, Termination
from engine.words import NOTHING_SAID, Words, listed, marked, sentences, words

COLOURS = {"R": "red", "Y": "yellow", "O": "orange", "B": "brown"}
"""The colours' names, as classes, by the letters of the seats."""

_SIDES = {"N": words("north"), "E": words("east"), "S": words("south"), "W": words("west")}


def side_said(side: str) -> Words:
    """Return a direction's name for people."""
    return _SIDES[side]


def colony(state: State, seat: int) -> Words:
    """Return a colony's name for people."""
    return COLONIES[state.table.seats[seat]]


def caption(before: State | None, action: Action | None, state: State, token: str = "") -> Words:
    """Return what happened between two positions.

    :param before: none for the position before the first action.
    :param action: none when a seat left or both agreed to a draw; then the token says which.
    """
    if before is None:
        return _beginning(state)
    return sentences(_what_was_done(before, action, state, token), _consequences(before, state, action))


def _beginning(state: State) -> Words:
    return words("Eight cards lie around the nest. {colony} begins.", colony=colony(state, state.first))


def _what_was_done(before: State, action: Action | None, state: State, token: str) -> Words:
    match action:
        case Placing(card, None):
            return words("Card {card} fits nowhere and is set aside.", card=card.code)
        case Placing(card, (x, y)):
            return words(
                "{colony} lays {card} at {x},{y}.", colony=colony(state, before.first), card=card.code, x=x, y=y
            )
        case AntMove():
            return _move(before, action, state)
        case EndTurn():
            return words("{colony} ends its turn.", colony=colony(state, before.queue[0]))
        case SpiderStep(number, side):
            return words(
                "{colony} sends S{number} {side}.", colony=colony(state, before.first), number=number, side=_SIDES[side]
            )
    return _leaving(before, state, token)


def _leaving(before: State, state: State, token: str) -> Words:
    left, said = state.left[len(before.left) :], parse_administrative(token)
    if said is None or not left:
        return words("Both players agree to a draw.")
    return words(_LEAVINGS[said.how], colony=colony(state, left[0]))


_LEAVINGS = {
    Termination.RESIGNED: marked("{colony} resigns and leaves the game."),
    Termination.TIMED_OUT: marked("{colony} runs out of time and leaves the game."),
}


# Ants


def _move(before: State, action: AntMove, state: State) -> Words:
    did = list(_deeds(action.parts))
    ant, acts = state.table.ants[action.ant], [part for part in action.parts if part not in SIDES]
    if state.ants[ant] == NEST and _arrives_with_leaf(carries=bool(before.laden >> ant & 1), acts=acts):
        did.append(words(marked("brings it home") if acts else marked("brings its leaf home")))
    said = words("{ant} {deed}.", ant=action.ant, deed=_in_a_row(did))
    born = [ant for ant in range(len(state.ants)) if before.ants[ant] < 0 <= state.ants[ant]]
    if born:
        return words("{move} {ant} comes into play.", move=said, ant=state.table.ant_name(born[0]))
    return said


def _arrives_with_leaf(*, carries: bool, acts: list[str]) -> bool:
    """Return whether an ant that ends its move in the nest has a leaf, kept or taken on the way."""
    return acts != ["-"] if acts else carries


def _deeds(parts: tuple[str, ...]) -> Iterator[Words]:
    """Yield what an ant did, one part after the other; consecutive steps are one part."""
    walked = False
    for steps, run in groupby(parts, key=_SIDES.__contains__):
        if steps:
            yield walking(*run, on=walked)
            walked = True
        else:
            yield from map(leaf_action, run)


def walking(side: str, then: str = "", *, on: bool = False) -> Words:
    """Say that somebody walks one step or two; `on`: after doing something else."""
    if not then:
        return words(marked("walks on {side}") if on else marked("walks {side}"), side=_SIDES[side])
    if then == side:
        return words("walks {side} twice", side=_SIDES[side])
    if SIDES.index(then) == opposite(SIDES.index(side)):
        return words("walks {side} and back", side=_SIDES[side])
    return words("walks {side} then {then}", side=_SIDES[side], then=_SIDES[then])


def leaf_action(part: str) -> Words:
    """Say what somebody does with a leaf."""
    if part == "+":
        return words("picks up a leaf")
    if part == "-":
        return words("puts its leaf down")
    return words("takes the leaf of {ant}", ant=part[1:])


def _in_a_row(deeds: list[Words]) -> Words:
    *first, last = deeds
    if not first:
        return last
    row = first[0]
    for deed in first[1:]:
        row = words("{deeds}, {deed}", deeds=row, deed=deed)
    return words("{deeds} and {deed}", deeds=row, deed=last)


# Consequences


def _consequences(before: State, state: State, action: Action | None) -> Iterator[Words]:
    """Yield consequences of the action: spiders walked and ate, colonies dropped out, the round or the game ended."""
    if state.spiders[: len(before.spiders)] != before.spiders:
        yield _hunt(state, before)
    for seat in sorted(state.out - before.out - set(state.left)):
        yield words("{colony} has no ant left and is out of the game.", colony=colony(state, seat))
    if isinstance(action, Placing) and action.cell:
        yield from _what_lies_on(action, state)
    if state.outcome:
        yield _end(state, state.outcome)
    elif state.round != before.round:
        yield words("Round {round}: {colony} is first player.", round=state.round, colony=colony(state, state.first))
    elif state.first != before.first:
        yield words("{colony} is first player now.", colony=colony(state, state.first))


def _what_lies_on(action: Placing, state: State) -> Iterator[Words]:
    if action.card.symbol == SPIDER:
        yield words("Spider S{number} comes into play.", number=len(state.spiders))
    if action.card.symbol == LEAF:
        yield words("Two leaves lie on it.")


def _hunt(state: State, before: State) -> Words:
    prey, moved = eaten(state, before), _who_moved(state, before)
    if not prey:
        return words("{spiders}.", spiders=moved)
    return words("{spiders}: {meals}.", spiders=moved, meals=meals(state, before, prey))


def meals(state: State, before: State, prey: list[int]) -> Words:
    """Say which spiders ate which of some ants; at least one was eaten."""
    said = None
    for slot in sorted({before.ants[ant] for ant in prey}):
        meal = _meal(state, slot, [state.table.ant_name(ant) for ant in prey if before.ants[ant] == slot])
        said = words("{meals}; {meal}", meals=said, meal=meal) if said else meal
    return said or NOTHING_SAID


def _who_moved(state: State, before: State) -> Words:
    ways = enumerate(zip(before.spiders, state.spiders, strict=False), 1)
    moved = [f"S{number}" for number, (begin, end) in ways if begin != end]
    if len(moved) == len(state.spiders):
        return words("The spider moves") if len(moved) == 1 else words("The spiders move")
    if len(moved) == 1:
        return words("Spider {spider} moves", spider=moved[0])
    return words("Spiders {spiders} move", spiders=listed(moved))


def _meal(state: State, slot: int, prey: list[str]) -> Words:
    spiders = [f"S{number}" for number, place in enumerate(state.spiders, 1) if place == slot]
    template = marked("{spiders} eats {ants}") if len(spiders) == 1 else marked("{spiders} eat {ants}")
    return words(template, spiders=listed(spiders), ants=listed(prey))


def _end(state: State, outcome: Outcome) -> Words:
    """Return who won or shares first place, and why: more ants in play, or fewer ants eaten (ATTA-RANK-1)."""
    first = [seat for seat, place in enumerate(outcome.placements) if place == 1]
    if outcome.termination == Termination.AGREED or len(first) == len(outcome.placements) == _TWO:
        return words("The game is over: a draw.")
    ants, rivals = in_play(state, first[0]), outdone(state, first)
    how = _SHARED if len(first) > 1 else _WON
    sentence = how[bool(rivals), min(ants, 2)]
    return words(sentence, colony=_named(state, first), ants=ants, rivals=_named(state, rivals) if rivals else "")


def _named(state: State, seats: list[int]) -> Words:
    names = colony(state, seats[0])
    for seat in seats[1:-1]:
        names = words("{names}, {name}", names=names, name=colony(state, seat))
    return words("{names} and {last}", names=names, last=colony(state, seats[-1])) if len(seats) > 1 else names


_TWO = 2
_WON = {
    (False, 0): marked("The game is over: {colony} wins."),
    (False, 1): marked("The game is over: {colony} wins with one ant."),
    (False, 2): marked("The game is over: {colony} wins with {ants} ants."),
    (True, 0): marked("The game is over: no ant is left, and {colony} wins because fewer of its ants were eaten."),
    (True, 1): marked(
        "The game is over: {colony} wins with one ant, as many as {rivals}, because fewer of its ants were eaten."
    ),
    (True, 2): marked(
        "The game is over: {colony} wins with {ants} ants, as many as {rivals}, because fewer of its ants were eaten."
    ),
}
"""By whether somebody else has as many ants, and by how many they are: none, one or more."""
_SHARED = {
    (False, 0): marked("The game is over: {colony} share first place."),
    (False, 1): marked("The game is over: {colony} share first place with one ant each."),
    (False, 2): marked("The game is over: {colony} share first place with {ants} ants each."),
    (True, 0): marked(
        "The game is over: no ant is left, and {colony} share first place because fewer of their ants were eaten."
    ),
    (True, 1): marked(
        "The game is over: {colony} share first place with one ant each, as many as {rivals}, because fewer of their "
        "ants were eaten."
    ),
    (True, 2): marked(
        "The game is over: {colony} share first place with {ants} ants each, as many as {rivals}, because fewer of "
        "their ants were eaten."
    ),
}

__all__ = ["COLOURS", "caption", "colony", "leaf_action", "meals", "side_said", "walking"]
