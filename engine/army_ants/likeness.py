"""When two records of Army Ants are the same play: when one is the mirror image of the other, west for east."""

from typing import Final

from engine.army_ants.board import CELLS, COLUMNS
from engine.ruleset import Tags
from engine.written import Written

_IN_MIRROR: Final = str.maketrans(COLUMNS + "EW", COLUMNS[::-1] + "WE")
_NAME: Final = 2
"""Characters of a cell's name."""
_JOINTS: Final = "~-"
"""What is written between two cells of which the one further west, or else further south, comes first."""


def likeness(tags: Tags, actions: Written) -> str:
    """Return the deal and the actions in a form that a record shares only with its mirror image.

    Of the two views of a deal, the alphabetically first is taken; if a deal is its own mirror image, the first of the
    two views of the actions.
    """
    deal = tags["Setup"]
    mirrored = "/".join(reversed(deal[::-1].split("/")))
    if deal < mirrored:
        return f"{deal}\n{actions.text}"
    play = actions.seen(_SYMMETRIES, _MIRRORED)
    return f"{mirrored}\n{play if mirrored < deal else min(play, actions.text)}"


class _Symmetry(dict[str, str]):
    """Legal tokens as they are or as mirrored, cached: there are only a few thousand, and they recur."""

    def __init__(self, *, mirrored: bool) -> None:
        super().__init__()
        self.mirrored = mirrored

    def __missing__(self, token: str) -> str:
        found = self[token] = _mirrored(token) if self.mirrored else token
        return found


def _mirrored(token: str) -> str:
    """Return the mirror image of a token; a token that names no cell, such as `QG`, stays the same."""
    return _in_order(token.translate(_IN_MIRROR)) if token[:_NAME] in CELLS else token


def _in_order(token: str) -> str:
    """Return a token with the two cells of a swap or a run in the required order."""
    joint = token[_NAME : _NAME + 1]
    if not joint or joint not in _JOINTS:
        return token
    first, last = sorted((token[:_NAME], token[_NAME + 1 : 2 * _NAME + 1]))
    return f"{first}{joint}{last}{token[2 * _NAME + 1 :]}"


_SYMMETRIES: Final = (_Symmetry(mirrored=False), _Symmetry(mirrored=True))
_MIRRORED: Final = 1
"""The place of the second of them."""

__all__ = ["likeness"]
