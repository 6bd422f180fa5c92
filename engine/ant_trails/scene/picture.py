"""The board of Ant Trails as lines of text, good enough to play from."""

from collections.abc import Iterator

from engine.ant_trails.board import BORDER, CELLS, NAMES, ROWS, WIDTH, column_of, longest, row_of
from engine.ant_trails.state import ANTS_A_TURN, COLLECTED, SEATS, TILES, State, points_of, score, to_act
from engine.rounds import places_listed
from engine.words import Words, lines, words

_STEP = 4
"""Columns from a cell to the next of its row; a row lies half of that aside of the next."""
_LEFT = 6
"""Columns for the letters and the space behind them in row f, the widest."""

Rows = list[list[str]]


def text(state: State) -> Words:
    """Return the board, whose turn it is, what the players have, and a key to the signs. ASCII only in English."""
    return lines("\n".join(_board(state)), "", *_list(state))


def picture(state: State) -> str:
    """Return the same as plain text, in English."""
    return str(text(state))


def _board(state: State) -> list[str]:
    rows = [[" "] * (_LEFT + (WIDTH + 2) * _STEP) for _ in range(2 * WIDTH)]
    for cell in CELLS:
        _write(rows, cell, _sign(state, cell))
    _write_labels(rows)
    for ants in state.ants:
        _write_bands(rows, ants)
    return ["".join(row).rstrip() for row in rows]


def _at(cell: int) -> tuple[int, int]:
    """Return the line and the column of a cell."""
    row, column = row_of(cell), column_of(cell)
    return 2 * (WIDTH - 1 - row), _LEFT + column * _STEP - (row - WIDTH // 2) * _STEP // 2


def _write(rows: Rows, cell: int, text: str, aside: int = 0, below: int = 0) -> None:
    line, column = _at(cell)
    rows[line + below][column + aside : column + aside + len(text)] = text


def _sign(state: State, cell: int) -> str:
    """Return an ant, a tile, both, or the ground."""
    ant = "".join(letter for letter, ants in zip(SEATS, state.ants, strict=True) if ants >> cell & 1)
    tile = str(state.table.points[state.tiles.index(cell)]) if cell in state.tiles else ""
    return ant + tile or (":" if BORDER >> cell & 1 else ".")


def _write_labels(rows: Rows) -> None:
    for row, letter in enumerate(ROWS):
        _write(rows, min(cell for cell in CELLS if row_of(cell) == row), letter, aside=-_STEP)
    for column in range(WIDTH):
        foot = min(cell for cell in CELLS if column_of(cell) == column)
        _write(rows, foot, str(column + 1), aside=_STEP // 2, below=1)


def _write_bands(rows: Rows, ants: int) -> None:
    """Write a sign between each pair of joined ants."""
    for ant in CELLS:
        if not ants >> ant & 1:
            continue
        if ants >> ant + 1 & 1:
            _write_row_band(rows, ant)
        for step, sign, aside in ((WIDTH, "\\", -1), (WIDTH + 1, "/", 1)):
            if ants >> ant + step & 1:
                _write(rows, ant, sign, aside, below=-1)


def _write_row_band(rows: Rows, ant: int) -> None:
    """Write a joint within a row, unless a carried tile takes its place."""
    line, column = _at(ant)
    for place in range(column + 1, column + _STEP):
        if rows[line][place] == " ":
            rows[line][place] = "-"


def _list(state: State) -> Iterator[Words]:
    yield _when(state)
    for seat, letter in enumerate(SEATS):
        tiles = " ".join(map(str, points_of(state, seat)))
        yield words("{seat}: longest trail {trail}, tiles collected: {tiles}, score {score}", seat=letter,
                    trail=longest(state.ants[seat]), tiles=tiles or words("none"),
                    score=score(state, seat))  # fmt: skip
    moved = [NAMES[cell] for tile, cell in enumerate(state.tiles) if state.moved >> tile & 1 and cell != COLLECTED]
    if moved:
        yield words("Moved in this turn: {cells}", cells=" ".join(moved))
    yield words("B black ant, R red ant, 3 tile of 3 points, B3 black ant with one, : border, . grass.")


def _when(state: State) -> Words:
    if state.outcome:
        places = places_listed(SEATS, state.outcome.placements)
        return words("Pair {pair}, over: {places}.", pair=state.pair, places=places)
    turn = to_act(state) or ""
    if state.phase == TILES:
        return words("Pair {pair}, tiles: {seat} moves tiles.", pair=state.pair, seat=turn)
    return words("Pair {pair}, place: {seat} places ant {number} of {most}.", pair=state.pair, seat=turn,
                 number=state.placed + 1, most=ANTS_A_TURN)  # fmt: skip
