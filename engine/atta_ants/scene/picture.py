"""The board of Atta Ants as lines of text, good enough to play from."""

from collections.abc import Iterator

from engine.atta_ants.board import EAST, LEAF, NEST, NORTH, NOWHERE, SOUTH, SPIDER, WEST, Card
from engine.atta_ants.scene.drawings import trails_of
from engine.atta_ants.state import ANTS, COLONY, PLACE, SPIDERS, State, to_act
from engine.rounds import places_listed
from engine.words import Words, lines, marked, words

_HEIGHT = 5
_ROOM = 94
"""Columns for the cards; with the numbers at the left a line stays within 100."""
_WIDEST = 11

_BENDS: dict[tuple[int, ...], str] = {(0, 1): "'", (1, 2): ".", (2, 3): ".", (0, 3): "'"}
_STRAIGHTS: dict[tuple[int, ...], str] = {(0, 2): "|", (1, 3): "-"}
"""A trail that bends up ends in the one, a trail that bends down in the other."""

Rows = list[list[str]]


def text(state: State) -> Words:
    """Return the board, then who is to act, the ants and the spiders by name, and what the signs mean.

    ASCII only in English.
    """
    return lines("\n".join(_board(state)), "", *_list(state))


def picture(state: State) -> str:
    """Return the same as plain text, in English."""
    return str(text(state))


def _board(state: State) -> list[str]:
    xs, ys = ([cell[axis] for cell in state.board.cells] for axis in (0, 1))
    west, east, south, north = min(xs), max(xs), min(ys), max(ys)
    width = _width(east - west + 1)
    there = _on_slots(state)
    rows = []
    for y in range(north, south - 1, -1):
        blocks = []
        for x in range(west, east + 1):
            slot = state.board.slot_at((x, y))
            blocks.append(
                [" " * width] * _HEIGHT if slot == NOWHERE else _block(state, slot, there.get(slot, []), width)
            )
        for row in range(_HEIGHT):
            margin = f"{y:>3} " if row == _HEIGHT // 2 else "    "
            rows.append((margin + "".join(block[row] for block in blocks)).rstrip())
    feet = "".join(str(x).center(width) for x in range(west, east + 1))
    return [*rows, ("    " + feet).rstrip()]


def _width(columns: int) -> int:
    """Return the largest odd width that fits: odd, so that a trail runs through the middle."""
    width = min(_WIDEST, _ROOM // columns)
    return max(5, width - 1 + width % 2)


def _on_slots(state: State) -> dict[int, list[str]]:
    """Return the ants and spiders on each slot."""
    there: dict[int, list[str]] = {}
    for number, slot in enumerate(state.spiders, 1):
        there.setdefault(slot, []).append(f"S{number}")
    for ant, slot in enumerate(state.ants):
        if slot != NOWHERE:
            there.setdefault(slot, []).append(_ant(state, ant))
    return there


def _ant(state: State, ant: int) -> str:
    return state.table.ant_name(ant) + "*" * (state.laden >> ant & 1)


def _block(state: State, slot: int, walkers: list[str], width: int) -> list[str]:
    card = state.board.cards[slot]
    rows = _trails(card, width)
    _write(rows, 0, 0, {LEAF: "*", SPIDER: "#"}.get(card.symbol, "."))
    if state.leaves[slot]:
        leaves = f"L{state.leaves[slot]}"
        _write(rows, _HEIGHT - 1, width - len(leaves), leaves)
    if slot == NEST:
        _write(rows, 2, width // 2, "N")
    _write_walkers(rows, walkers, width)
    return ["".join(row) for row in rows]


def _write(rows: Rows, row: int, column: int, text: str) -> None:
    rows[row][column : column + len(text)] = text


def _write_walkers(rows: Rows, walkers: list[str], width: int) -> None:
    """Write the names if they fit into two rows, otherwise their number; the list below the board has all names."""
    above = _fill(walkers, width)
    below = _fill(walkers[len(above) :], width)
    if len(above) + len(below) < len(walkers):
        many = f"{len(walkers)} ants"
        above, below = [many if len(many) <= width else f"x{len(walkers)}"], []
    for row, names in ((1, above), (3, below)):
        if names:
            line = " ".join(names)
            _write(rows, row, (width - len(line)) // 2, line)


def _fill(names: list[str], width: int) -> list[str]:
    """Return the first names that fit into a row."""
    count = 0
    while count < len(names) and len(" ".join(names[: count + 1])) <= width:
        count += 1
    return names[:count]


def _trails(card: Card, width: int) -> Rows:
    rows = [[" "] * width for _ in range(_HEIGHT)]
    for row in (0, _HEIGHT - 1):
        rows[row][0] = rows[row][-1] = "."
    trails = trails_of(card)
    for trail in trails:
        _trail(rows, trail, alone=len(trails) == 1)
    if ((0, 2) in trails) and ((1, 3) in trails):
        rows[2][width // 2] = "|"
    return rows


def _trail(rows: Rows, sides: tuple[int, ...], *, alone: bool) -> None:
    """Draw one trail: along the middle column and the middle row, with a sign where it turns or meets."""
    width, middle = len(rows[0]), len(rows[0]) // 2
    bend = _BENDS.get(sides, "")
    short = 0 if alone or (len(sides) > 1 and not bend) else 1
    for row, side in ((0, NORTH), (1, NORTH), (3, SOUTH), (4, SOUTH)):
        if side in sides and not (short and not bend and row in (1, 3)):
            rows[row][middle] = "|"
    if EAST in sides:
        rows[2][middle + 1 + short :] = "-" * (width - middle - 1 - short)
    if WEST in sides:
        rows[2][: middle - short] = "-" * (middle - short)
    if bend:
        rows[2][middle + (short if EAST in sides else -short)] = bend
    elif len(sides) > 1:
        rows[2][middle] = _STRAIGHTS.get(sides, "+")


def _list(state: State) -> Iterator[Words]:
    yield _when(state)
    for seat, letter in enumerate(state.table.seats):
        ants = [ant for ant in range(seat * COLONY, (seat + 1) * COLONY) if state.ants[ant] != NOWHERE]
        named = "  ".join(f"{_ant(state, ant)} {_cell(state, state.ants[ant])}" for ant in ants)
        line = (
            marked("{seat}: {ants}  ({eaten} eaten, out of the game)")
            if seat in state.out
            else marked("{seat}: {ants}  ({eaten} eaten)")
        )
        yield words(line, seat=letter, ants=named or words("no ant in play"), eaten=state.eaten[seat])
    spiders = [f"S{number} {_cell(state, slot)}" for number, slot in enumerate(state.spiders, 1)]
    if spiders:
        yield words("Spiders: {spiders}", spiders="  ".join(spiders))
    yield words("N nest, L2 two leaves lie here, R1* ant with a leaf, S1 spider, * # the card’s symbol.")


_WHEN = {
    PLACE: marked("Round {round}, place: {seat} to act, {first} first player, {deck} cards in the deck."),
    ANTS: marked("Round {round}, ants: {seat} to act, {first} first player, {deck} cards in the deck."),
    SPIDERS: marked("Round {round}, spiders: {seat} to act, {first} first player, {deck} cards in the deck."),
}


def _when(state: State) -> Words:
    seats = state.table.seats
    if state.outcome:
        places = places_listed(seats, state.outcome.placements)
        return words("Round {round}, over: {places}.", round=state.round, places=places)
    return words(_WHEN[state.phase], round=state.round, seat=to_act(state) or "", first=seats[state.first],
                 deck=state.deck)  # fmt: skip


def _cell(state: State, slot: int) -> str:
    x, y = state.board.cells[slot]
    return f"{x},{y}"
