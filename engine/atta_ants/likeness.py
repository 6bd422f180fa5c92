"""When two records of Atta Ants are the same play: the board turned or mirrored, other colours, another deck's name."""

import re
from collections.abc import Sequence
from typing import Final

from engine.atta_ants.board import CARDS, RING, SIDES, SPIDER
from engine.ruleset import Tags
from engine.written import Written

_KEPT: Final = 1 << 14
"""Cards at places that a process remembers of each symmetry: some two megabytes, were all hostile."""
_LETTERS: Final = "RYOB"
"""How the seats are called in turn order, whatever their colours are."""
_NOWHERE: Final = "-"
_AT: Final = "@"
_TRAILS: Final = "|"
_CHOICE: Final = "S"
"""With what a choice such as `S2:N` begins. The spider's number is one digit, for there are four at most."""
_SETTLED: Final = "\1\2\3\4"
"""Stand for SIDES in cards as they are seen, whose sides are not to be turned any more."""
_settle: Final = str.maketrans(SIDES, _SETTLED)
_CHOICE_SETTLED: Final = "\5"
"""The same for the beginning of a choice, which is no side."""
_CHOICES: Final = re.compile(r"\x05[0-9]:[NESW](?: \x05[0-9]:[NESW])*")
"""Choices one after another."""


def likeness(tags: Tags, actions: Written) -> str:
    """Return the ring and the actions in a form shared by exactly those records that have the same play.

    Of the eight views of the ring, the numerically first is taken; if several are equal, the one whose actions come
    first in alphabetical order. Seats are named by turn order, and `Deck` does not matter.
    """
    setup, seats = tags["Setup"], tags["Seats"]
    ring = setup.split(" ")
    first, alike = _views(ring)
    play = min([SYMMETRIES[view].play(actions.text, seats, ring) for view in alike])
    return f"{len(seats)}\n{first.hex()}\n{play}"


def views(ring: Sequence[str]) -> list[int]:
    """Return the symmetries in which the ring is numerically first, by their places: nearly always one."""
    return _views(ring)[1]


def _views(ring: Sequence[str]) -> tuple[bytes, list[int]]:
    """Return the numerically first view of a ring, and the symmetries in which it is seen so.

    Nearly always one view has the least number where it counts most, so that the others need not be looked at further.
    """
    seen = [_SEEN[code] for code in ring]
    firsts = [seen[places[0]][view] for view, places in enumerate(_SHOWN)]
    least = min(firsts)
    if firsts.count(least) == 1:
        view = firsts.index(least)
        return _view(seen, view), [view]
    found = [(_view(seen, view), view) for view, first in enumerate(firsts) if first == least]
    first = min(found)[0]
    return first, [view for one, view in found if one == first]


def _view(seen: Sequence[bytes], view: int) -> bytes:
    """Return what is seen of a ring in a symmetry: the number of each card, place by place."""
    return bytes([seen[place][view] for place in _SHOWN[view]])


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
        self._settled: dict[str, str] = {}
        """Cards that were laid, by their tokens, as they are seen."""
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
        """Return the laying of a card, or its being set aside, as it is seen."""
        code, _, place = token.partition(_AT)
        if place == _NOWHERE:  # a card that is set aside has no rotation
            return f"{CARDS[code].kind}{_AT}{place}"
        x, y = place.split(",")
        across, up = self.cell(int(x), int(y))
        return f"{self.codes[code]}{_AT}{across},{up}"

    def play(self, actions: str, seats: str, ring: Sequence[str]) -> str:
        """Return the actions as seen in this symmetry, with the seats named by turn order.

        Cards are replaced one by one; all other sides are turned, and all seats named, by a single translation.
        """
        play = self._with_cards_seen(f" {actions} ").replace(f" {_CHOICE}", f" {_CHOICE_SETTLED}")
        places = [place for place, code in zip(self.places, ring, strict=True) if code[-1] == SPIDER]
        in_order = sorted(places)
        if places != in_order:
            play = _renumbered(play, [str(in_order.index(place) + 1) for place in places])
        return play[1:-1].encode().translate(self._table(seats)).decode()

    def _with_cards_seen(self, actions: str) -> str:
        """Return actions, all of them between spaces, with each card that is laid as it is seen, and settled."""
        parts, end = list[str](), 0
        at = actions.find(_AT)
        while at >= 0:
            begin = actions.rfind(" ", end, at) + 1
            parts.append(actions[end:begin])
            end = actions.find(" ", at)
            token = actions[begin:end]
            parts.append(self._settled.get(token) or self._settle(token))
            at = actions.find(_AT, end)
        parts.append(actions[end:])
        return "".join(parts)

    def _settle(self, token: str) -> str:
        if len(self._settled) >= _KEPT:
            self._settled.clear()
        found = self._settled[token] = self.placing(token).translate(_settle)
        return found

    def _table(self, seats: str) -> bytes:
        table = self._tables.get(seats)
        if table is None:
            letters = seats.replace(" ", "")
            seen = f"{self._seen_sides}{_LETTERS[: len(letters)]}{SIDES}{_CHOICE}"
            written = f"{SIDES}{letters}{_SETTLED}{_CHOICE_SETTLED}"
            table = self._tables[seats] = bytes.maketrans(written.encode(), seen.encode())
        return table


def _renumbered(play: str, numbers: Sequence[str]) -> str:
    """Return the actions with the ring's spiders renumbered, and their choices reordered accordingly.

    :param play: with choices that begin with _CHOICE_SETTLED.
    :param numbers: of each of these spiders (ATTA-SETUP-2, ATTA-SPIDER-5).
    """

    def reordered(choices: re.Match[str]) -> str:
        tokens = choices[0].split(" ")
        return " ".join(sorted([f"{token[0]}{new.get(token[1], token[1])}{token[2:]}" for token in tokens]))

    new = {str(number): other for number, other in enumerate(numbers, 1)}
    return _CHOICES.sub(reordered, play)


SYMMETRIES: Final = tuple(
    [Symmetry(quarters, mirrored=mirrored) for mirrored in (False, True) for quarters in range(4)]
)
"""The first changes nothing."""


_NUMBERS: Final = {code: number for number, code in enumerate(CARDS)}
_SEEN: Final = {code: bytes([_NUMBERS[symmetry.codes[code]] for symmetry in SYMMETRIES]) for code in CARDS}
"""For each card the numbers of those as which it is seen in the symmetries."""
_SHOWN: Final = [[symmetry.places.index(place) for place in reversed(range(len(RING)))] for symmetry in SYMMETRIES]
"""For each symmetry, which place of the ring is seen at each place, from the last one, which counts most."""

__all__ = ["SYMMETRIES", "Symmetry", "likeness", "views"]
