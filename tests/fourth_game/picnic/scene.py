"""The picture of a position of Picnic: the only place where it is defined."""

from collections.abc import Iterator
from functools import partial
from xml.etree.ElementTree import Element

from engine.scene.drawing import ANT_MIDDLE, LIGHT, ant, ellipse, group, path
from engine.scene.values import (
    GROUND,
    LOOSE,
    WALKING,
    Box,
    Count,
    Label,
    Mark,
    Piece,
    Scene,
    Trace,
    Tray,
    in_order,
)
from engine.shown import Headings
from engine.words import Words, lines, marked, words

from .board import ANTS, NAMES
from .state import Action, Placing, State, Walk, to_act

COLOURS = {"B": "black", "R": "red", "O": "orange"}
_PLAYERS = {"B": words("Black"), "R": words("Red"), "O": words("Orange")}
PITCH = 62
"""Distance between plates."""
_HALF = PITCH / 2
_EAST, _WEST = 90, 270


def scene(
    state: State,
    before: State | None = None,
    action: Action | None = None,
    *,
    token: str = "",
    headings: Headings | None = None,
) -> Scene:
    """Return the picture of a position.

    :param before: the previous position; none for the first.
    :param action: the action that led here; none when a seat left or both agreed to a draw, according to the token.
    :param headings: which way the ants face.
    """
    return Scene(
        box=Box(-_HALF, -_HALF - 14, PITCH * len(state.crumbs), PITCH + 14),
        pieces=in_order([*_plates(state), *_ants(state, headings or {})]),
        draw=draw,
        traces=tuple(_traces(before, action)),
        trays=tuple(_tray(state, seat) for seat in range(len(state.seats))),
        labels=frozenset(Label(NAMES[plate], plate * PITCH, None) for plate in range(len(state.crumbs))),
        caption=caption(before, action, state, token),
        token=token,
        write=partial(text, state),
    )


def draw(name: str) -> Element:
    """Return the drawing of a symbol. :raises KeyError: for an unknown name."""
    return _DRAWINGS[name]()


def _plate() -> Element:
    return group(ellipse("grass", 0, 0, 29, 29), ellipse("paper", 0, 0, 25, 25), ellipse("trail-edge", 0, 0, 18, 18))


def _crumbs() -> Element:
    return group(path("gold", "M-12-6Q-4-15 6-12Q16-8 13 3Q10 14-2 13Q-15 11-12-6Z"))


_DRAWINGS = {"plate": _plate, "crumbs": _crumbs, "ant": ant}


# Pieces


def _name(state: State, seat: int, number: int) -> str:
    return f"{state.seats[seat]}{number + 1}"


def _plates(state: State) -> Iterator[Piece]:
    for plate, crumbs in enumerate(state.crumbs):
        name = words("Plate {plate}", plate=NAMES[plate])
        yield Piece(f"cell:{NAMES[plate]}", "plate", plate * PITCH, 0, GROUND, title=name)
        if crumbs:
            title = words("Crumbs on plate {plate}: {crumbs}", crumbs=crumbs, plate=NAMES[plate])
            yield Piece(f"crumbs:{NAMES[plate]}", "crumbs", plate * PITCH, 0, LOOSE, classes=("crumbs", LIGHT),
                        text=str(crumbs), title=title)  # fmt: skip


def headings(earlier: Headings, state: State, _: State | None, action: Action | None) -> Headings:
    """Return which way the ants face: where they last walked."""
    if not isinstance(action, Walk):
        return earlier
    seat, number = next((seat, ants.index(action.end)) for seat, ants in enumerate(state.ants) if action.end in ants)
    return {**earlier, _name(state, seat, number): _EAST if action.end > action.start else _WEST}


def _ants(state: State, headings: Headings) -> Iterator[Piece]:
    for seat, ants in enumerate(state.ants):
        for number, plate in enumerate(ants):
            yield _ant(state, seat, number, plate, headings.get(_name(state, seat, number), 0))


def _ant(state: State, seat: int, number: int, plate: int, turn: float) -> Piece:
    name = _name(state, seat, number)
    x, y = plate * PITCH + {_EAST: -ANT_MIDDLE, _WEST: ANT_MIDDLE}.get(int(turn), 0), 0 if turn else ANT_MIDDLE
    title = words("Ant {ant} on plate {plate}", ant=name, plate=NAMES[plate])
    classes = "ant", f"seat-{COLOURS[state.seats[seat]]}"
    return Piece(name, "ant", x, y, WALKING, turn, classes=classes, text=str(number + 1), name=name, title=title)


def _traces(before: State | None, action: Action | None) -> Iterator[Trace]:
    if isinstance(action, Walk) and before:
        ant = _name(before, before.seat, before.ants[before.seat].index(action.start))
        yield Trace("path", ((action.start * PITCH, 0), (action.end * PITCH, 0)), (ant,))
    elif isinstance(action, Placing):
        west, east, half = action.plate * PITCH - _HALF + 2, action.plate * PITCH + _HALF - 2, _HALF - 2
        yield Trace("frame", ((west, -half), (east, -half), (east, half), (west, half), (west, -half)))


# Beside the board


COUNTS = _CRUMBS, _IN_HAND = words("crumbs"), words("ants in hand")
"""What a score sheet counts, in order."""


def sheets(state: State) -> tuple[tuple[Count, ...], ...]:
    """Return the score sheet of each seat, in seat order."""
    return tuple(_counts(state, seat) for seat in range(len(state.seats)))


def _counts(state: State, seat: int) -> tuple[Count, ...]:
    in_hand = 0 if seat in state.left else ANTS - len(state.ants[seat])
    return (
        Count("crumbs", _CRUMBS, state.eaten[seat]),
        Count("hand", _IN_HAND, in_hand),
    )


def _tray(state: State, seat: int) -> Tray:
    letter, left, counts = state.seats[seat], seat in state.left, _counts(state, seat)
    in_hand = [] if left else [_in_hand(letter, number) for number in range(len(state.ants[seat]), ANTS)]
    return Tray(
        seat=letter,
        colour=COLOURS[letter],
        name=player(letter),
        counts=counts,
        marks=(
            Mark("turn", words("to act"), to_act(state) == letter),
            Mark("left", words("left the game"), left),
        ),
        place=state.outcome.placements[seat] if state.outcome else None,
        box=Box(0, 0, 204, 46),
        pieces=tuple(in_hand),
        said=words("{player}: crumbs {crumbs}, ants in hand {ants}.", player=player(letter),
                   crumbs=state.eaten[seat], ants=len(in_hand)),
    )  # fmt: skip


def _in_hand(letter: str, number: int) -> Piece:
    classes = "ant", f"seat-{COLOURS[letter]}"
    return Piece(f"{letter}{number + 1}", "ant", 26 + number * 36, 32, size=0.8, classes=classes, text=str(number + 1))


# Captions


def player(letter: str) -> Words:
    """Return the display name of a player."""
    return _PLAYERS[letter]


def caption(before: State | None, action: Action | None, state: State, token: str = "") -> Words:
    """Return the caption for what happened between two positions."""
    if before is None:
        return words("The cloth is laid. {player} begins.", player=player(state.seats[state.seat]))
    said = _what_was_done(before, action, state, token)
    for skipped in _skipped(before, state):
        said = words("{before} {player} can do nothing.", before=said, player=player(skipped))
    return words("{before} The game is over.", before=said) if state.outcome else said


def _what_was_done(before: State, action: Action | None, state: State, token: str) -> Words:
    name = player(before.seats[before.seat])
    match action:
        case Placing(plate):
            return words("{player} places an ant on plate {plate}.", player=name, plate=NAMES[plate])
        case Walk(start, end):
            ate = state.eaten[before.seat] - before.eaten[before.seat]
            how = marked("{player} walks from {start} to {end} and eats {crumbs} crumbs.")
            if ate == 1:
                how = marked("{player} walks from {start} to {end} and eats one crumb.")
            return words(how, player=name, start=NAMES[start], end=NAMES[end], crumbs=ate)
    if token == "draw":
        return words("Both players agree to a draw.")
    return words("{player} leaves, and all its ants with it.", player=name)


def _skipped(before: State, state: State) -> list[str]:
    """Return the skipped seats between the last and the next to act that have not left (PICNIC-TURN-1)."""
    count = len(state.seats)
    following = (state.seat - before.seat - 1) % count if not state.outcome else 0
    passed = ((before.seat + step) % count for step in range(1, following + 1))
    return [state.seats[seat] for seat in passed if seat not in state.left]


# Text


def text(state: State) -> Words:
    """Return the row as lines of text, followed by the scores."""
    sitting = {plate: state.seats[seat] for seat, ants in enumerate(state.ants) for plate in ants}
    row = [sitting.get(plate) or str(crumbs or ".") for plate, crumbs in enumerate(state.crumbs)]
    return lines(f"{' '.join(row)}\n{' '.join(NAMES[: len(row)])}", "", *_list(state))


def picture(state: State) -> str:
    """Return the same as plain English text."""
    return str(text(state))


def _list(state: State) -> Iterator[Words]:
    if state.outcome:
        placings = zip(state.seats, state.outcome.placements, strict=True)
        places = ", ".join(f"{letter} {place}" for letter, place in placings)
        yield words("Round {round}, over: {places}.", round=state.round, places=places)
    else:
        yield words("Round {round}: {seat} to act.", round=state.round, seat=state.seats[state.seat])
    for letter, ants, eaten in zip(state.seats, state.ants, state.eaten, strict=True):
        yield words("{seat}: crumbs {crumbs}, ants on the cloth {ants}", seat=letter, crumbs=eaten, ants=len(ants))
    yield words("2 two crumbs, B an ant of black, . an empty plate.")
