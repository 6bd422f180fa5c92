"""The trays beside the board, one for each colony."""

from collections.abc import Iterator

from engine.atta_ants.board import NOWHERE
from engine.atta_ants.scene.captions import COLOURS, colony
from engine.atta_ants.state import COLONY, OVER, State, in_play, to_act
from engine.scene.values import Box, Count, Mark, Piece, Tray, tray_summary
from engine.words import Words, words

COUNTS = _IN_PLAY, _AT_HOME, _EATEN = words("in play"), words("at home"), words("eaten")
"""What a score sheet counts, in its order."""
_STEP = 34
_BOX = Box(0, 0, COLONY * _STEP, 46)


def trays(state: State) -> tuple[Tray, ...]:
    """Return the trays in seat order."""
    return tuple(_tray(state, seat) for seat in range(len(state.table.seats)))


def sheets(state: State) -> tuple[tuple[Count, ...], ...]:
    """Return the score sheet of each seat, in seat order."""
    return tuple(_counts(state, seat) for seat in range(len(state.table.seats)))


def _tray(state: State, seat: int) -> Tray:
    letter = state.table.seats[seat]
    counts = _counts(state, seat)
    marks = _marks(state, seat)
    place = state.outcome.placements[seat] if state.outcome else None
    return Tray(
        seat=letter,
        colour=COLOURS[letter],
        name=colony(state, seat),
        counts=counts,
        marks=marks,
        place=place,
        box=_BOX,
        pieces=tuple(_pieces(state, seat)),
        said=_said(colony(state, seat), counts, marks, place),
    )


def _counts(state: State, seat: int) -> tuple[Count, ...]:
    ants = in_play(state, seat)
    return (
        Count("in-play", _IN_PLAY, ants),
        Count("at-home", _AT_HOME, COLONY - ants),
        Count("eaten", _EATEN, state.eaten[seat]),
    )


def _marks(state: State, seat: int) -> tuple[Mark, ...]:
    letter = state.table.seats[seat]
    return (
        Mark("turn", words("to act"), to_act(state) == letter),
        Mark("first", words("first player"), state.phase != OVER and state.first == seat),
        Mark("out", words("out"), seat in state.out and seat not in state.left),
        Mark("left", words("left the game"), seat in state.left),
    )


def _pieces(state: State, seat: int) -> Iterator[Piece]:
    """Yield the ants at home, and the empty places of those in play."""
    letter = state.table.seats[seat]
    for number, slot in enumerate(state.ants[seat * COLONY : (seat + 1) * COLONY], 1):
        at_home = slot == NOWHERE
        yield Piece(
            id=f"home:{letter}{number}",
            symbol="ant-small" if at_home else "slot",
            x=(number - 0.5) * _STEP,
            y=27,
            size=0.8 if at_home else 1,
            classes=("ant", f"seat-{COLOURS[letter]}", "home") if at_home else ("away",),
            text=str(number) if at_home else "",
        )


def _said(name: Words, counts: tuple[Count, ...], marks: tuple[Mark, ...], place: int | None) -> Words:
    said = words("{colony}: {in_play} in play, {at_home} at home, {eaten} eaten", colony=name,
                 in_play=counts[0].value, at_home=counts[1].value, eaten=counts[2].value)  # fmt: skip
    return tray_summary(said, marks, place)
