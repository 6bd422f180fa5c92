"""An independent implementation of dealing: slow, plain, and without any code of the engine."""

import hashlib
from collections.abc import Iterator
from itertools import product
from typing import Any

USUAL = "NESW* NES* NES* NS* NS* NE* NE* N* NES# NS# NE# .# NESW NESW NESW NES NES NES NS NS NE NE N"
SIDES = "NESW"
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
PLACES = {"NW": (-1, 1), "N": (0, 1), "NE": (1, 1), "W": (-1, 0), "E": (1, 0), "SW": (-1, -1), "S": (0, -1),
          "SE": (1, -1)}  # fmt: skip
ROWS = "abcdefghijk"


def digest(*lines: str) -> bytes:
    return hashlib.sha256("".join(line + "\n" for line in lines).encode("utf-8")).digest()


def numbers(purpose: str, seed: str) -> Iterator[int]:
    block = 0
    while True:
        data = digest("atta-deal/1", purpose, seed, str(block))
        for at in range(0, 32, 4):
            yield int.from_bytes(data[at : at + 4], "big")
        block += 1


def below(words: Iterator[int], bound: int) -> int:
    for word in words:
        if word < (2**32 // bound) * bound:
            return word % bound
    raise AssertionError


def shuffle(words: Iterator[int], things: Any) -> list[Any]:
    left: list[Any] = list(things)
    for i in range(len(left) - 1):
        j = i + below(words, len(left) - i)
        left[i], left[j] = left[j], left[i]
    return left


def deal(game: str, rules: str, secret: str, entropies: list[str], deck: str | None) -> dict[str, Any]:
    commitment = digest("atta-deal/1", "commit", secret).hex()
    seed = digest("atta-deal/1", "seed", game, rules, commitment, secret, *entropies).hex()
    words = numbers("setup", seed)
    setup, order = {"Atta Ants": atta, "Ant Trails": trails, "Army Ants": army}[game](words, rules, deck)
    return {
        "commitment": commitment,
        "seed": seed,
        "first": below(numbers("first", seed), len(entropies)),
        "setup": setup,
        "deck": order,
    }


# Atta Ants


def turn(code: str, quarters: int) -> str:
    symbol = code[-1] if code[-1] in "*#" else ""
    trails = code.removesuffix(symbol) if symbol else code
    if trails == ".":
        return code
    turned = [{SIDES[(SIDES.index(side) + quarters) % 4] for side in trail} for trail in trails.split("|")]
    written = ["".join(side for side in SIDES if side in trail) for trail in turned]
    return "|".join(sorted(written, key=lambda trail: SIDES.index(trail[0]))) + symbol


def meets(board: dict[tuple[int, int], str], cell: tuple[int, int], code: str) -> bool:
    for side, (dx, dy) in STEPS.items():
        other = board.get((cell[0] + dx, cell[1] + dy))
        back = SIDES[(SIDES.index(side) + 2) % 4]
        if other is not None and (side in code) != (back in other):
            return False
    return True


def atta(words: Iterator[int], rules: str, deck: str | None) -> tuple[str, list[str]]:
    codes = (USUAL if deck in (None, "reconstruction-1") else str(deck)).split(" ")
    if rules == "2003":
        while True:
            order = shuffle(words, codes)
            if next(rings(order[:8]), None):
                return " ".join(order[:8]), order[8:]
    while True:
        order, board = list(codes), {(0, 0): "NESW"}
        for k, cell in enumerate(PLACES.values()):
            j = k + below(words, 23 - k)
            order[k], order[j] = order[j], order[k]
            card = turn(order[k], below(words, 4))
            if not meets(board, cell, card):
                break
            board[cell] = card
        if len(board) == 9:
            return " ".join(board[cell] for cell in PLACES.values()), shuffle(words, order[8:])


def rings(codes: list[str]) -> Iterator[str]:
    """Yield every way to lay some cards around the nest."""
    yield from _laid({(0, 0): "NESW"}, list(PLACES.values()), tuple(sorted(codes)))


def _laid(board: dict[tuple[int, int], str], cells: list[tuple[int, int]], left: tuple[str, ...]) -> Iterator[str]:
    if not cells:
        yield " ".join(board[cell] for cell in PLACES.values())
        return
    for code in dict.fromkeys(left):
        rest = list(left)
        rest.remove(code)
        for card in dict.fromkeys(turn(code, quarters) for quarters in range(4)):
            if meets(board, cells[0], card):
                yield from _laid({**board, cells[0]: card}, cells[1:], tuple(rest))


# Other games


def trails(words: Iterator[int], _rules: str, _deck: str | None) -> tuple[str, None]:
    board = {(r, n) for r, n in product(range(1, 12), repeat=2) if abs(r - n) <= 5}
    inner = [cell for cell in sorted(board) if len(around(cell) & board) == 6]
    assert len(inner) == 61
    while True:
        taken: list[tuple[int, int]] = []
        for cell in shuffle(words, inner):
            if len(taken) < 12 and not around(cell) & set(taken):
                taken.append(cell)
        if len(taken) == 12:
            break
    points = dict(zip(taken, shuffle(words, [3] * 4 + [2] * 4 + [1] * 4), strict=True))
    return " ".join(f"{ROWS[r - 1]}{n}={points[r, n]}" for r, n in sorted(points)), None


def around(cell: tuple[int, int]) -> set[tuple[int, int]]:
    r, n = cell
    return {(r, n - 1), (r, n + 1), (r - 1, n), (r + 1, n), (r + 1, n + 1), (r - 1, n - 1)}


def army(words: Iterator[int], _rules: str, _deck: str | None) -> tuple[str, None]:
    cards = list("AA2233445566778899Q")
    dealt = {"black": shuffle(words, cards), "red": shuffle(words, cards)}
    rows = []
    for row in range(8, 0, -1):
        left = dealt["black" if row > 4 else "red"]
        rows.append("".join("." if f"{column}{row}" in ("c8", "c1") else left.pop(0) for column in "abcde"))
    return "/".join(rows), None
