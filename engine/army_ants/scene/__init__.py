"""What a position of Army Ants looks like; nothing else decides that."""

from functools import cache, partial

from engine.army_ants.board import BLACK, NAMES, NOTHING, QUEEN, RANK, RED, WIDTH, owner_of
from engine.army_ants.scene.captions import caption
from engine.army_ants.scene.drawings import OFFSET, SIZE, VARIANTS, draw
from engine.army_ants.scene.layout import BOX, LABELS, PITCH_X, centre
from engine.army_ants.scene.names import COLOURS, letter_of, name_of, title_of
from engine.army_ants.scene.picture import picture, text
from engine.army_ants.scene.traces import traces
from engine.army_ants.scene.trays import COUNTS, sheets, trays
from engine.army_ants.state import COLONIES, SEATS, SETUP, SETUP_ACTIONS, Action, State
from engine.scene.drawing import PRINTED
from engine.scene.values import GROUND, LOOSE, WALKING, Piece, Scene, in_order
from engine.shown import Headings
from engine.words import words


def scene(
    state: State,
    before: State | None = None,
    action: Action | None = None,
    *,
    token: str = "",
    headings: Headings | None = None,  # noqa: ARG001 (here no piece turns)
) -> Scene:
    """Return the picture of a position.

    :param before: the position before it; none for the first.
    :param action: the action that led here; none when a seat left or both agreed to a draw, as the token says.
    """
    cards = [card_piece(card, cell) for cell, card in enumerate(state.cards) if card != NOTHING]
    return Scene(
        box=BOX,
        pieces=(*GROUND_PIECES, *_hedge(state), *in_order(cards)),
        draw=draw,
        traces=traces(before, action),
        trays=trays(state),
        labels=LABELS,
        caption=caption(before, action, state, token),
        token=token,
        write=partial(text, state),
    )


def _cell(cell: int) -> Piece:
    name, (x, y) = NAMES[cell], centre(cell)
    column, row = cell % WIDTH, cell // WIDTH
    variant = (column + row + column * row // 4) % VARIANTS
    return Piece(f"cell:{name}", f"cell-{variant}", x, y, GROUND, classes=("cell",), title=words("{cell}", cell=name))


_FRONTIER = Piece("frontier", "frontier", 0, 0, GROUND)
GROUND_PIECES = in_order([*map(_cell, range(len(NAMES))), _FRONTIER])


# The hedge keeps the sides apart in the setup phase. It has a leaf for every action that a colony has yet to make.


def _hedge(state: State) -> tuple[Piece, ...]:
    return _hedge_of(state.done) if state.phase == SETUP else ()


@cache
def _hedge_of(done: tuple[int, int]) -> tuple[Piece, ...]:
    twig = Piece("hedge", "twig", 0, 0, LOOSE, classes=("hedge",), title=words("The sides are closed"))
    leaves = [_leaf(seat, number) for seat in (RED, BLACK) for number in range(done[seat], SETUP_ACTIONS)]
    return in_order([twig, *leaves])


def _leaf(seat: int, number: int) -> Piece:
    """Return one of the leaves that a colony has yet to eat through, on its side of the hedge."""
    side = 1 if seat == RED else -1
    x = (number - 2) * PITCH_X + side * 20
    title = words("{colony}: a setup action to come", colony=COLONIES[seat])
    return Piece(
        f"hedge:{SEATS[seat]}{number + 1}", "leaf", x, side * 5, LOOSE, 90 + side * 60, 0.9,
        classes=("leaf",), title=title,
    )  # fmt: skip


# Cards


@cache
def card_piece(card: int, cell: int) -> Piece:
    seat, (x, y) = owner_of(card), centre(cell)
    name = SEATS[seat] + letter_of(card)
    return Piece(
        id=name_of(card),
        symbol=f"{'queen' if RANK[card] == QUEEN else 'card'}-{COLOURS[seat]}",
        x=x,
        y=y + (OFFSET if seat == RED else -OFFSET),
        layer=WALKING,
        size=SIZE,
        classes=("card", PRINTED, f"seat-{COLOURS[seat]}"),
        text=letter_of(card),
        name=name,
        title=words("{card} on {cell}", card=title_of(card), cell=NAMES[cell]),
    )


__all__ = ["COUNTS", "caption", "draw", "picture", "scene", "sheets"]
