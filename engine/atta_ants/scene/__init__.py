"""What a position of Atta Ants looks like; nothing else decides that."""

from functools import lru_cache, partial

from engine.atta_ants.board import NEST, NOWHERE, Board, Card, Cell
from engine.atta_ants.scene.captions import COLOURS, caption
from engine.atta_ants.scene.drawings import HALF, PITCH, SPIDER_MIDDLE, SPIDER_REACH, draw, symbol_of
from engine.atta_ants.scene.layout import LEAF_COUNT, LEAVES, ant_places, ant_stands, centre, crowd, heading
from engine.atta_ants.scene.picture import picture, text
from engine.atta_ants.scene.traces import traces
from engine.atta_ants.scene.trays import COUNTS, sheets, trays
from engine.atta_ants.state import COLONY, Action, AntMove, State
from engine.scene.drawing import LIGHT
from engine.scene.values import GROUND, LOOSE, TOP, WALKING, Box, Label, Piece, Scene, in_order
from engine.shown import Headings
from engine.words import marked, words

_MARGIN = HALF + 1


def scene(
    state: State,
    before: State | None = None,
    action: Action | None = None,
    *,
    token: str = "",
    headings: Headings | None = None,
) -> Scene:
    """Return the picture of a position.

    :param before: the position before it; none for the first.
    :param action: the action that led here; none when a seat left or both agreed to a draw, as the token says.
    :param headings: which way the ants look; without it, as before their first moves.
    """
    ground, box, labels = _ground(state.board)
    pieces = [
        *ground,
        *_leaves(state),
        *_ants(state, headings or ant_headings({}, state, before, action)),
        *_spiders(state),
    ]
    return Scene(
        box=box,
        pieces=in_order(pieces),
        draw=draw,
        traces=traces(state, before, action),
        trays=trays(state),
        labels=labels,
        caption=caption(before, action, state, token),
        token=token,
        write=partial(text, state),
    )


# The ground


@lru_cache(maxsize=64)
def _ground(board: Board) -> tuple[tuple[Piece, ...], Box, frozenset[Label]]:
    """Return the cards with the nest, the room that they take, and the numbers of their columns and rows."""
    nest = Piece("nest", "nest", 0, 0, GROUND, title=words("Nest"))
    cards = [card_piece(card, cell) for card, cell in zip(board.cards, board.cells, strict=True)]
    columns = (Label(str(x), x * PITCH, None) for x, _ in board.cells)
    rows = (Label(str(y), None, -y * PITCH) for _, y in board.cells)
    return (*cards, nest), _box(board), frozenset((*columns, *rows))


@lru_cache(maxsize=4096)
def card_piece(card: Card, cell: Cell) -> Piece:
    x, y = cell
    title = words("Card {card} at {x},{y}", card=card.code, x=x, y=y)
    return Piece(f"card:{x},{y}", symbol_of(card, cell), *centre(cell), GROUND, classes=("card",), title=title)


def _box(board: Board) -> Box:
    xs, ys = zip(*map(centre, board.cells), strict=True)
    x, y = min(xs) - _MARGIN, min(ys) - _MARGIN
    return Box(x, y, max(xs) + _MARGIN - x, max(ys) + _MARGIN - y)


# Leaves


def _leaves(state: State) -> list[Piece]:
    return [
        piece
        for slot, count in enumerate(state.leaves)
        if count
        for piece in _leaves_on(state.board.cells[slot], count)
    ]


@lru_cache(maxsize=4096)
def _leaves_on(cell: Cell, count: int) -> tuple[Piece, ...]:
    """Return one or two leaves side by side; of more, one with their number."""
    (x, y), name = centre(cell), f"{cell[0]},{cell[1]}"
    title = (
        words("{count} leaves lie at {cell}", count=count, cell=name)
        if count > 1
        else words("A leaf lies at {cell}", cell=name)
    )
    pieces = [
        Piece(f"leaf:{name}:{number}", "leaf", x + dx, y + dy, LOOSE, turn, classes=("leaf",), title=title)
        for number, (dx, dy, turn) in enumerate(LEAVES[:count], 1)
    ]
    if count > len(LEAVES):
        (dx, dy), text = LEAF_COUNT, str(count)
        pieces.append(
            Piece(
                f"leaf:{name}:count",
                "count",
                x + dx,
                y + dy,
                LOOSE,
                size=0.8,
                classes=("count", LIGHT),
                text=text,
                title=title,
            )
        )
    return tuple(pieces)


# Ants and spiders


def ant_headings(earlier: Headings, state: State, before: State | None, action: Action | None) -> Headings:
    """Return which way the ants look: along their last step or, before the first, away from the nest or home."""
    found = {state.table.ant_name(ant): ant for ant, slot in enumerate(state.ants) if slot != NOWHERE}
    headings = {
        name: earlier[name] for name, ant in found.items() if before and before.ants[ant] >= 0 and name in earlier
    }
    if isinstance(action, AntMove) and (steps := [side for side in action.sides if side != NOWHERE]):
        headings[action.ant] = steps[-1] * 90
    if len(headings) < len(found):
        for ant, (_, middle) in ant_places(state).items():
            headings.setdefault(state.table.ant_name(ant), heading(middle, home=bool(state.laden >> ant & 1)))
    return headings


def _ants(state: State, headings: Headings) -> list[Piece]:
    pieces = []
    for ant, (reach, middle) in ant_places(state).items():
        if state.ants[ant] == NEST:
            pieces += _ant(state, ant, ("ant-home", *middle, 1), 0)
        else:
            turn = headings[state.table.ant_name(ant)]
            pieces += _ant(state, ant, ant_stands(middle, reach, turn), turn)
    return pieces


def _ant(state: State, ant: int, stands: tuple[str, float, float, float], turn: float) -> list[Piece]:
    """Return an ant, and the leaf that it carries, placed and turned like the ant."""
    name, seat = state.table.ant_name(ant), state.table.seats[ant // COLONY]
    symbol, x, y, size = stands
    laden = bool(state.laden >> ant & 1)
    title = words(marked("Ant {ant} with a leaf") if laden else marked("Ant {ant}"), ant=name)
    body = Piece(name, symbol, x, y, WALKING, turn, size, _classes(state, ant, seat), name[1:], name, title)
    if not laden:
        return [body]
    return [body, Piece(f"leaf:{name}", f"{symbol}-leaf", x, y, TOP, turn, size, ("leaf", "carried"))]


def _classes(state: State, ant: int, seat: str) -> tuple[str, ...]:
    so = (("laden", state.laden), ("new", state.new))
    return ("ant", f"seat-{COLOURS[seat]}", *(name for name, ants in so if ants >> ant & 1))


def _spiders(state: State) -> list[Piece]:
    """Return the spiders; on a shared card they are arranged as ants are."""
    pieces = []
    for number, slot in enumerate(state.spiders, 1):
        there = [other for other, place in enumerate(state.spiders, 1) if place == slot]
        reach, middles = crowd(len(there))
        (x, y), (dx, dy) = centre(state.board.cells[slot]), middles[there.index(number)]
        size = round(reach / SPIDER_REACH, 3)
        title = words("Spider S{number}", number=number)
        pieces.append(
            Piece(
                f"S{number}",
                "spider",
                x + dx,
                round(y + dy + SPIDER_MIDDLE * size, 1),
                WALKING,
                size=size,
                classes=("spider",),
                text=str(number),
                name=f"S{number}",
                title=title,
            )
        )
    return pieces


__all__ = ["COUNTS", "caption", "draw", "picture", "scene", "sheets", "turns"]
