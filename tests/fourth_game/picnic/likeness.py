"""When two records of Picnic are the same play: seen from the other side, or in other colours."""

from collections.abc import Sequence

from engine.ruleset import Tags
from engine.written import Written

from .board import NAMES


def likeness(tags: Tags, actions: Written) -> str:
    """Return the row and actions in a form shared by all records of the same play, and no others."""
    row, seats = tags["Setup"], tags["Seats"].split(" ")
    by_turn = [_by_turn(token, seats) for token in actions.tokens()]
    other_way = str.maketrans(NAMES[: len(row)], NAMES[: len(row)][::-1])
    mirrored = [token if ":" in token or token == "draw" else token.translate(other_way) for token in by_turn]
    return f"{len(seats)} " + min(f"{row} {' '.join(by_turn)}", f"{row[::-1]} {' '.join(mirrored)}")


def _by_turn(token: str, seats: Sequence[str]) -> str:
    """Return a token in which a leaving seat is named by its turn."""
    word, leaves, letter = token.partition(":")
    return f"{word}:{seats.index(letter)}" if leaves else token


__all__ = ["likeness"]
