"""Custom-made records."""

from collections.abc import Iterator, Sequence
from itertools import islice

from engine.atta_ants.ruleset import ATTA_ANTS

SETUP = "E NESW* SW ESW* NESW* NE NESW NW"
TAG_OF = {"R": "Red", "Y": "Yellow", "O": "Orange", "B": "Brown"}


def record(
    movetext: str = "resign:R 2-1",
    *,
    names: Sequence[str] = ("Ada", "Bruno"),
    seats: str = "R Y",
    rules: str = "online",
    **tags: str,
) -> bytes:
    """Return one record; the result is the last token of the movetext."""
    players = {TAG_OF[letter]: name for letter, name in zip(seats.split(), names, strict=True)}
    whole = {"Game": "Atta Ants", "Rules": rules, "Seats": seats, **players, **tags, "Setup": SETUP}
    whole["Result"] = movetext.rsplit(maxsplit=1)[-1]
    lines = [f'[{name} "{value}"]' for name, value in whole.items()]
    return "\n".join([*lines, "", movetext, ""]).encode()


def duels(count: int, names: Sequence[str] = ("Ada", "Bruno")) -> Iterator[bytes]:
    """Yield up to about 800 different short two-player games in which the first seat resigns at once."""
    ruleset = ATTA_ANTS[0]
    start = ruleset.initial({"Seats": "R Y", "Setup": SETUP})
    for action in islice(ruleset.legal_actions(start), count):
        yield record(f"{ruleset.format_action(action)} R1:N resign:R 2-1", names=names)


BROKEN = record("NS@0,2 R1:N R2:N R1:E / *")
"""Ant R1 moves a second time in one turn: line 9, column 18."""
