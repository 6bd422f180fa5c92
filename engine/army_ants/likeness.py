"""When two records of Army Ants are the same play: when one is the other seen in a mirror, west for east."""

from collections.abc import Sequence
from typing import Final

from engine.army_ants.board import CELLS, COLUMNS
from engine.ruleset import Tags

_IN_MIRROR: Final = str.maketrans(COLUMNS + "EW", COLUMNS[::-1] + "WE")
_NAME: Final = 2
"""Characters of a cell's name."""
_JOINTS: Final = "~-"
"""What stands between two cells of which the one further west, or else further south, is written first."""


def likeness(tags: Tags, tokens: Sequence[str]) -> str:
    """Return the deal and the actions in a way that a record shares with its mirror image, and with no other.

    Of the two ways to see a deal the first in alphabetical order is taken; where a deal is its own mirror image, of
    the two ways to see the actions.

    :param tokens: all actions, administrative ones too.
    """
    deal = tags["Setup"]
    mirrored = "/".join(reversed(deal[::-1].split("/")))
    if deal < mirrored:
        return f"{deal}\n{' '.join(tokens)}"
    play = " ".join(map(_MIRRORED.__getitem__, tokens))
    return f"{mirrored}\n{play if mirrored < deal else min(play, ' '.join(tokens))}"


class _Mirrored(dict[str, str]):
    """Legal tokens as they read in the mirror. There are only so many, and they come again and again."""

    def __missing__(self, token: str) -> str:
        found = self[token] = _mirrored(token)
        return found


def _mirrored(token: str) -> str:
    """Return a token as it reads in the mirror: the same where it begins with no cell, as `QG` does."""
    return _in_order(token.translate(_IN_MIRROR)) if token[:_NAME] in CELLS else token


def _in_order(token: str) -> str:
    """Return a token whose two cells, if it is a swap or the march of a run, come in the order in which they must."""
    joint = token[_NAME : _NAME + 1]
    if not joint or joint not in _JOINTS:
        return token
    first, last = sorted((token[:_NAME], token[_NAME + 1 : 2 * _NAME + 1]))
    return f"{first}{joint}{last}{token[2 * _NAME + 1 :]}"


_MIRRORED: Final = _Mirrored()

__all__ = ["likeness"]
