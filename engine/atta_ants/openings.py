"""Openings of Atta Ants: how many play, which card comes first, and what each colony does in the first round."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.atta_ants.board import CARDS, LEAF, PLAIN, SIDES, SPIDER
from engine.openings import OpeningParts, OpeningStep
from engine.words import Words, counted, marked, words

_NOWHERE: Final = "-"
_END: Final = "/"
_STAYS: Final = "stay"
_ANT: Final = re.compile("[RYOB][1-6]:(.+)")
_SEATS: Final = re.compile("seats-([2-4])")
_DEEDS: Final = "ps21"
"""What an ant does: it picks a leaf up, takes one from another ant, or only goes two steps or one."""
_TURN: Final = re.compile("(?=.{1,2}$)(p*)(s*)(2*)(1*)")
"""What the two ants of a colony do in the first round, in that order."""
_CARDS: Final = {LEAF: "leaf", SPIDER: "spider", PLAIN: "plain"}
_SENTENCES = {
    "leaf": marked("The first card has a leaf"),
    "spider": marked("The first card has a spider"),
    "plain": marked("The first card is plain"),
    "aside": marked("The first card fits nowhere"),
}
_KEPT: Final = 1 << 12
"""Moves that a process remembers."""
_FIRST: Final = 2
"""Steps before those of the colonies."""


def _steps(tags: Mapping[str, str], tokens: Sequence[str]) -> list[OpeningStep]:
    """Return the opening: it is the same on a rotated or mirrored board and for other colours."""
    seats = len(tags["Seats"].split(" "))
    found = [(f"seats-{seats}", 0)]
    code, _, place = tokens[0].partition("@") if tokens else ("", "", "")
    if not place:
        return found
    found.append(("aside" if place == _NOWHERE else _CARDS[CARDS[code].symbol], 1))
    deeds = ""
    for ply, token in enumerate(tokens[1:], start=2):
        if token == _END:
            found.append(("".join(sorted(deeds, key=_DEEDS.index)) or _STAYS, ply))
            deeds = ""
            if len(found) == _FIRST + seats:
                break
        elif deed := _deed(token):
            deeds += deed
        else:  # somebody left, or all agreed to a draw
            break
    return found


@lru_cache(maxsize=_KEPT)
def _deed(token: str) -> str:
    """Return what an ant does in its move; nothing for what is no move."""
    move = _ANT.fullmatch(token)
    if move is None:
        return ""
    body = move[1]
    if "+" in body:
        return "p"
    return "s" if "x" in body else str(sum([char in SIDES for char in body]))


def _sentence(path: Sequence[str]) -> Words:
    """Say what the last step is."""
    seats, last = _SEATS.fullmatch(path[0]), path[-1]
    turns = [name == _STAYS or _TURN.fullmatch(name) for name in path[_FIRST:]]
    if seats is None or not {*path[1:_FIRST]} <= {*_SENTENCES} or not all(turns) or len(turns) > int(seats[1]):
        raise ValueError(path)
    if not turns:
        return words(_SENTENCES[last]) if path[1:] else counted("{count} player", "{count} players", int(seats[1]))
    return words("Colony {number}: {deeds}", number=len(turns), deeds=_said(last))


def _said(turn: str) -> Words:
    said = [_PARTS[deed](turn.count(deed)) for deed in _DEEDS if deed in turn]
    if turn == _STAYS:
        return words("no ant moves")
    return said[0] if len(said) == 1 else words("{one}, {other}", one=said[0], other=said[1])


def _picks(count: int) -> Words:
    return counted("{count} ant picks up a leaf", "{count} ants pick up a leaf each", count)


def _takes(count: int) -> Words:
    return counted("{count} ant takes a leaf from another", "{count} ants take a leaf from others", count)


def _goes_far(count: int) -> Words:
    return counted("{count} ant goes two steps", "{count} ants go two steps", count)


def _goes(count: int) -> Words:
    return counted("{count} ant goes one step", "{count} ants go one step", count)


_PARTS: Final = dict(zip(_DEEDS, (_picks, _takes, _goes_far, _goes), strict=True))

OPENINGS: Final = OpeningParts(
    about=words(
        "Grouped by the number of players, the first card, and what each colony does in the first round, in turn order."
    ),
    steps=_steps,
    sentence=_sentence,
)

__all__ = ["OPENINGS"]
