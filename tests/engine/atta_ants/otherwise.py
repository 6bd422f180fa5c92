"""Atta Ants rewritten, slowly and plainly: with the board rotated or mirrored and in other colours."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

Cell = tuple[int, int]
Tags = dict[str, str]
RING: list[Cell] = [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)]
SIDES: dict[str, Cell] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
TAG = {"R": "Red", "Y": "Yellow", "O": "Orange", "B": "Brown"}

SYMMETRIES: dict[str, Callable[[int, int], Cell]] = {
    "as it is": lambda x, y: (x, y),
    "turned right": lambda x, y: (y, -x),
    "turned round": lambda x, y: (-x, -y),
    "turned left": lambda x, y: (-y, x),
    "west for east": lambda x, y: (-x, y),
    "north for south": lambda x, y: (x, -y),
    "over one diagonal": lambda x, y: (y, x),
    "over the other": lambda x, y: (-y, -x),
}


def seen(tags: Mapping[str, str], tokens: Sequence[str], how: str) -> tuple[Tags, list[str]]:
    """Return the same game on a rotated or mirrored board."""
    move = SYMMETRIES[how]
    sides = {side: next(other for other, to in SIDES.items() if to == move(*step)) for side, step in SIDES.items()}
    before = dict(zip(RING, tags["Setup"].split(" "), strict=True))
    ring = {move(*cell): _code(code, sides) for cell, code in before.items()}
    spiders = _spiders(ring)
    numbers = {number: spiders.index(move(*cell)) + 1 for number, cell in enumerate(_spiders(before), 1)}
    after = {**tags, "Setup": " ".join(ring[cell] for cell in RING)}
    if " " in tags.get("Deck", ""):
        after["Deck"] = " ".join(_code(code, sides) for code in tags["Deck"].split(" "))
    found = [_token(token, sides, move) for token in tokens]
    return after, list(_in_order(found, numbers))


def _code(code: str, sides: Mapping[str, str]) -> str:
    symbol = code[-1] if code[-1] in "*#" else ""
    trails = code.removesuffix(symbol).split("|")
    named = ["".join(sorted((sides.get(side, side) for side in trail), key="NESW.".index)) for trail in trails]
    return "|".join(sorted(named, key=lambda trail: "NESW.".index(trail[0]))) + symbol


def _spiders(ring: Mapping[Cell, str]) -> list[Cell]:
    """Return the positions of the ring's spiders, in order of their numbers."""
    return [cell for cell in RING if "#" in ring[cell]]


def _token(token: str, sides: Mapping[str, str], move: Callable[[int, int], Cell]) -> str:
    if "@" in token:
        code, place = token.split("@")
        if place == "-":
            return f"{_code(code, sides)}@-"
        x, y = move(*map(int, place.split(",")))
        return f"{_code(code, sides)}@{x},{y}"
    who, colon, what = token.partition(":")
    if who in ("resign", "timeout"):
        return token
    return who + colon + "".join(sides.get(char, char) for char in what)


def _in_order(tokens: Sequence[str], numbers: Mapping[int, int]) -> Iterator[str]:
    """Yield the tokens with the spiders' new numbers and their choices in that order."""
    for chosen, stretch in groupby(tokens, key=is_choice):
        if not chosen:
            yield from stretch
            continue
        choices = [(int(token[1]), token[2:]) for token in stretch]
        yield from (
            f"S{number}{side}" for number, side in sorted((numbers.get(old, old), side) for old, side in choices)
        )


def is_choice(token: str) -> bool:
    """Return whether a token is a choice for a spider."""
    return token[0] == "S" and token[1].isdigit() and ":" in token


def recoloured(tags: Mapping[str, str], tokens: Sequence[str], colours: str) -> tuple[Tags, list[str]]:
    """Return the same game with other colours, given in turn order."""
    new = dict(zip(tags["Seats"].split(" "), colours, strict=False))
    names = {TAG[letter]: tags[TAG[old]] for old, letter in new.items()}
    kept = {name: value for name, value in tags.items() if name not in TAG.values()}
    after = kept | names | {"Seats": " ".join(new.values())}
    return after, ["".join(new.get(char, char) for char in token) if ":" in token else token for token in tokens]


def cut_off(tokens: Sequence[str]) -> bool:
    """Return whether somebody left, agreed to a draw or stopped recording during the choices.

    Such choices cannot always be reordered: the first player reaches other spiders first.
    """
    return any(
        is_choice(token) and (following is None or not ("@" in following or is_choice(following)))
        for token, following in zip(tokens, [*tokens[1:], None], strict=True)
    )
