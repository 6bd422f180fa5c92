"""When two records of Atta Ants are the same play: the board turned or mirrored, other colours, another deck's name."""

import re
from collections.abc import Iterator, Sequence
from operator import getitem
from struct import Struct
from typing import Final

from engine.atta_ants.board import CARDS, RING, SIDES, SPIDER
from engine.ruleset import Tags

_SIZE: Final = len(RING)
"""Bytes of a ring, one a card."""
_KEPT: Final = 1 << 12
"""Different places that a process remembers of each symmetry: cards reach a few hundred."""
_LETTERS: Final = "RYOB"
"""How the seats are called in turn order, whatever their colours are."""
_NOWHERE: Final = "-"
_AT: Final = "@"
_TRAILS: Final = "|"
_CHOICE: Final = "S"
"""With what a choice such as `S2:N` begins. The spider's number is one digit, for there are four at most."""
_CHOICES: Final = re.compile(r"S[0-9]:[NESW](?: S[0-9]:[NESW])*")
"""Choices one after another: in no other action does a digit follow an `S`."""
_SETTLED: Final = "\1\2\3\4"
"""Stand for SIDES where no side is to be turned any more: in cards as they are seen, and at the beginning of choices."""
_settle: Final = str.maketrans(SIDES, _SETTLED)
_CHOICE_BEGINS: Final = f" {_CHOICE}"
_CHOICE_SETTLED: Final = _CHOICE_BEGINS.translate(_settle)


def likeness(tags: Tags, tokens: Sequence[str]) -> str:
    """Return the ring and the actions in a form shared by exactly those records that tell the same play.

    Of the eight views of the ring, the numerically first is taken; if several are equal, the one whose actions come
    first in alphabetical order. Seats are named by turn order, and `Deck` does not matter.

    :param tokens: all actions, administrative ones too.
    """
    setup, seats = tags["Setup"], tags["Seats"]
    ring, actions = setup.split(" "), " ".join(tokens)
    first, alike = _views(ring)
    play = min([SYMMETRIES[view].play(actions, seats, ring) for view in alike])
    return f"{len(seats)}\n{first:016x}\n{play}"


def views(ring: Sequence[str]) -> list[int]:
    """Return the symmetries in which the ring is numerically first, by their places: nearly always one."""
    return _views(ring)[1]


def _views(ring: Sequence[str]) -> tuple[int, list[int]]:
    """Return the numerically first view of a ring, and the symmetries in which it is seen so."""
    seen = _apart(sum(map(getitem, _SEEN, ring)).to_bytes(_BYTES))
    first = min(seen)
    if seen.count(first) == 1:
        return first, [seen.index(first)]
    return first, [view for view, one in enumerate(seen) if one == first]


class Symmetry:
    """Cards and actions as seen in one of the eight symmetries of the grid; spiders keep their numbers."""

    def __init__(self, quarters: int, *, mirrored: bool) -> None:
        """Rotate clockwise by so many quarters, after mirroring, west for east, if `mirrored`."""
        self._quarters, self._mirrored = quarters, mirrored
        sides = [((-side if mirrored else side) + quarters) % len(SIDES) for side in range(len(SIDES))]
        self._seen_sides = "".join([SIDES[side] for side in sides])
        self._sides = str.maketrans(SIDES, self._seen_sides)
        self.codes = {code: self._card(code) for code in CARDS}
        self.places = [RING.index(self.cell(x, y)) for x, y in RING]
        """For each place in the ring the one at which it is seen."""
        self._settled = {code: seen.translate(_settle) for code, seen in self.codes.items()}
        self._cells: dict[str, str] = {}
        self._tables: dict[str, bytes] = {}

    def side(self, side: str) -> str:
        """Return the side at which a side is seen; nothing for none."""
        return side.translate(self._sides)

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """Return the cell at which a cell is seen."""
        if self._mirrored:
            x = -x
        for _ in range(self._quarters):
            x, y = y, -x
        return x, y

    def _card(self, code: str) -> str:
        symbol = CARDS[code].symbol
        trails = code.removesuffix(symbol).translate(self._sides).split(_TRAILS)
        ordered = ["".join(sorted(trail, key=SIDES.find)) for trail in trails]
        return _TRAILS.join(sorted(ordered, key=lambda trail: SIDES.find(trail[0]))) + symbol

    def placing(self, token: str) -> str:
        """Return the laying of a card as it is seen."""
        code, _, place = token.partition(_AT)
        return f"{self.codes[code]}{_AT}{self._place(place)}"

    def _place(self, place: str) -> str:
        """Return where a cell is seen, both as they are written."""
        seen = self._cells.get(place)
        if seen is None:
            if len(self._cells) >= _KEPT:
                self._cells.clear()
            x, y = place.split(",")
            across, up = self.cell(int(x), int(y))
            seen = self._cells[place] = f"{across},{up}"
        return seen

    def play(self, actions: str, seats: str, ring: Sequence[str]) -> str:
        """Return the actions as seen in this symmetry, with the seats named by turn order.

        Cards are replaced one by one; all other sides are turned, and all seats named, by a single translation.
        """
        before, *others = f" {actions}".split(_AT)
        seen, settled = [], self._settled
        for part in others:
            between, _, code = before.rpartition(" ")
            place = part.partition(" ")[0]
            if place == _NOWHERE:  # a card that is set aside has no rotation
                seen.append(f"{between} {CARDS[code].kind.translate(_settle)}{_AT}{place}")
            else:
                seen.append(f"{between} {settled[code]}{_AT}{self._place(place)}")
            before = part[len(place) :]
        play = "".join([*seen, before])[1:].replace(_CHOICE_BEGINS, _CHOICE_SETTLED)
        return self._renumbered(play.encode().translate(self._table(seats)).decode(), ring)

    def _table(self, seats: str) -> bytes:
        table = self._tables.get(seats)
        if table is None:
            letters = seats.replace(" ", "")
            seen = f"{self._seen_sides}{_LETTERS[: len(letters)]}{SIDES}"
            table = self._tables[seats] = bytes.maketrans(f"{SIDES}{letters}{_SETTLED}".encode(), seen.encode())
        return table

    def _renumbered(self, play: str, ring: Sequence[str]) -> str:
        """Return the actions with the spiders of the ring numbered in the order in which they are seen."""
        places = [place for place, code in zip(self.places, ring, strict=True) if code[-1] == SPIDER]
        in_order = sorted(places)
        if places != in_order:
            return _renumbered(play, [str(in_order.index(place) + 1) for place in places])
        return play


def _renumbered(play: str, numbers: Sequence[str]) -> str:
    """Return the actions with the ring's spiders renumbered, and their choices reordered accordingly.

    :param numbers: of each of these spiders (ATTA-SETUP-2, ATTA-SPIDER-5).
    """

    def reordered(choices: re.Match[str]) -> str:
        tokens = choices[0].split(" ")
        return " ".join(sorted([f"{_CHOICE}{new.get(token[1], token[1])}{token[2:]}" for token in tokens]))

    new = {str(number): other for number, other in enumerate(numbers, 1)}
    return _CHOICES.sub(reordered, play)


SYMMETRIES: Final = tuple(
    [Symmetry(quarters, mirrored=mirrored) for mirrored in (False, True) for quarters in range(4)]
)
"""The first changes nothing."""


_BYTES: Final = _SIZE * len(SYMMETRIES)
_apart: Final = Struct(f">{len(SYMMETRIES)}Q").unpack
"""Takes what all symmetries see apart again, in their order: of each ring its eight bytes."""


def _rings() -> Iterator[dict[str, int]]:
    """Yield, for each place in the ring, by the card there, its place and rotation in each of the symmetries."""
    number = {code: at for at, code in enumerate(CARDS)}
    for place in range(_SIZE):
        seen = dict.fromkeys(CARDS, 0)
        for symmetry in SYMMETRIES:
            for code in CARDS:
                seen[code] = seen[code] << 8 * _SIZE | number[symmetry.codes[code]] << 8 * symmetry.places[place]
        yield seen


_SEEN: Final = tuple(_rings())

__all__ = ["SYMMETRIES", "Symmetry", "likeness", "views"]
