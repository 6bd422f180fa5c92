"""Openings of Army Ants: how strong both front rows are dealt, then the kinds of the first actions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.army_ants.state import COLONIES
from engine.openings import OpeningParts, OpeningStep
from engine.words import Words, counted, marked, words

_STRONG: Final = "789"
"""The ranks that count as strong."""
_QUEEN: Final = "Q"
_MOST: Final = 12
"""Actions that belong to the opening: the ten of the setup phase, and two."""
_SETUP_ACTIONS: Final = 5
_FRONTS: Final = (4, 3)
"""Of Red and of Black, which of the rows in the Setup tag is the front row."""
_FRONT: Final = re.compile("front-([0-5])(-queen)?")
_GAMBIT: Final = "gambit"
_RUN: Final = "-"
_JOINT: Final = 2
"""Where a token says of which form it is: after its first cell."""
_FORMS: Final = {"~": "swap", ">": "out", "x": "attack", _RUN: "march-several"} | dict.fromkeys("NESW", "march")
_OTHERS: Final = {"QG": _GAMBIT, "pass": "pass"}
_SENTENCES = {
    "swap": marked("{colony} swaps two cards"),
    "march": marked("{colony} marches one card"),
    "march-several": marked("{colony} marches several cards"),
    "out": marked("{colony} moves a card out"),
    "attack": marked("{colony} attacks"),
    _GAMBIT: marked("{colony} plays the queen’s gambit"),
    "pass": marked("{colony} passes"),
}


def _steps(tags: Mapping[str, str], tokens: Sequence[str]) -> list[OpeningStep]:
    """Return the opening: it is the same in a mirror, for columns do not matter."""
    rows = tags["Setup"].split("/")
    found = [(_front(rows[row]), 0) for row in _FRONTS]
    for ply, token in enumerate(tokens[:_MOST], start=1):
        name = _OTHERS.get(token) or _FORMS.get(token[_JOINT])
        if name is None:  # somebody left, or both agreed to a draw
            break
        found.append((name, ply))
    return found


def _front(row: str) -> str:
    """Return how strong a front row is: how many of its cards are strong, and whether the queen is in it."""
    return f"front-{sum(map(row.count, _STRONG))}{'-queen' if _QUEEN in row else ''}"


def _sentence(path: Sequence[str]) -> Words:
    """Say what the last step is, and of which colony."""
    *_, colony = _colonies(path)
    name = path[-1]
    if len(path) > len(_FRONTS):
        return words(_SENTENCES[name], colony=COLONIES[colony])
    front = _FRONT.fullmatch(name)
    if front is None:
        raise ValueError(path)
    strong = _strong(int(front[1]))
    sentence = (
        marked("{colony}’s front row: {cards} and the queen") if front[2] else marked("{colony}’s front row: {cards}")
    )
    return words(sentence, colony=COLONIES[colony], cards=strong)


def _strong(count: int) -> Words:
    return (
        counted("{count} card from 7 to 9", "{count} cards from 7 to 9", count)
        if count
        else words("no card from 7 to 9")
    )


def _colonies(path: Sequence[str]) -> Iterator[int]:
    """Yield of which colony each step is. :raises ValueError: when no opening can begin with them."""
    fronts, actions = path[: len(_FRONTS)], path[len(_FRONTS) :]
    if (
        not all(map(_FRONT.fullmatch, fronts))
        or not all(name in _SENTENCES for name in actions)
        or len(actions) > _MOST
    ):
        raise ValueError(path)
    yield from range(len(fronts))
    done, seat, in_setup = [0, 0], 0, True
    for name in actions:
        yield seat
        done[seat] += _SETUP_ACTIONS if name == _GAMBIT else 1
        if in_setup and min(done) >= _SETUP_ACTIONS:
            seat, in_setup = 0, False
        elif not in_setup or done[1 - seat] < _SETUP_ACTIONS:
            seat = 1 - seat


OPENINGS: Final = OpeningParts(
    about=words(
        "Grouped by how strong both front rows are dealt, then by the kinds of the first twelve actions. "
        "Mirrored games count together."
    ),
    steps=_steps,
    sentence=_sentence,
)

__all__ = ["OPENINGS"]
