"""Blocks of the index of positions: sorted pairs of a position's number and a game, packed byte by byte."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from struct import Struct
from sys import byteorder
from typing import Final

Pair = tuple[int, int]
"""The number of a position, and a game that reached it."""

_MOST: Final = 1_950
"""Bytes of a block: four rows of that size fill a page of PostgreSQL, and none is stored apart."""
_HEAD: Final = Struct("<BBq")
"""With what a block begins: bytes of a number, bytes of a game, and the lowest game."""
_MOST_PAIRS: Final = (_MOST - _HEAD.size) // 2
_WHOLE: Final = 8
"""Bytes of a number in memory."""


def packed(pairs: Sequence[Pair]) -> Iterator[tuple[int, bytes]]:
    """Yield blocks that hold sorted pairs, each with the lowest number in it."""
    begin, count = 0, _MOST_PAIRS
    while begin < len(pairs):
        # As many as in the block before are tried first: blocks one after another are alike.
        block, count = _block(pairs, begin, count)
        yield pairs[begin][0], block
        begin += count


def unpacked(first: int, data: bytes) -> list[Pair]:
    """Return the pairs of a block."""
    numbers, games, lowest = _columns(data)
    return [(first + number, lowest + game) for number, game in zip(numbers, games, strict=True)]


def games_in(first: int, data: bytes, number: int) -> list[int]:
    """Return the games of a block that reached a position, in the order of their ids."""
    numbers, games, lowest = _columns(data)
    begin, end = bisect_left(numbers, number - first), bisect_right(numbers, number - first)
    return [lowest + game for game in games[begin:end]]


def _block(pairs: Sequence[Pair], begin: int, count: int) -> tuple[bytes, int]:
    """Return the block that begins with a pair, and how many pairs are in it.

    :param count: how many are tried first.
    """
    fits = _MOST_PAIRS
    while True:
        numbers, games = zip(*pairs[begin : begin + count], strict=True)
        first, lowest = numbers[0], min(games)
        widths = _width(numbers[-1] - first), _width(max(games) - lowest)
        room = (_MOST - _HEAD.size) // sum(widths)
        if len(numbers) > room:
            count = fits = room  # from now on no more are tried, for wider columns might not fit
        elif len(numbers) == min(room, fits, len(pairs) - begin):
            break
        else:
            count = min(room, fits)
    data = _planes(numbers, first, widths[0]) + _planes(games, lowest, widths[1])
    return _HEAD.pack(*widths, lowest) + data, len(numbers)


def _width(most: int) -> int:
    return max(1, -(-most.bit_length() // 8))


def _planes(values: Sequence[int], lowest: int, width: int) -> bytes:
    """Return the lowest bytes of all values less the lowest one, then the second lowest, and so on up to the width."""
    whole = array("Q", [value - lowest for value in values])
    if byteorder == "big":
        whole.byteswap()
    raw = whole.tobytes()
    return b"".join([raw[plane::_WHOLE] for plane in range(width)])


def _values(data: bytes, width: int) -> "array[int]":
    count = len(data) // width
    raw, found = bytearray(_WHOLE * count), array("Q")
    for plane in range(width):
        raw[plane::_WHOLE] = data[plane * count : (plane + 1) * count]
    found.frombytes(raw)
    if byteorder == "big":
        found.byteswap()
    return found


def _columns(data: bytes) -> "tuple[array[int], array[int], int]":
    """Return the numbers and the games of a block, each relative to the lowest, and last the lowest game."""
    width, game_width, lowest = _HEAD.unpack_from(data)
    end = _HEAD.size + (len(data) - _HEAD.size) // (width + game_width) * width
    return _values(data[_HEAD.size : end], width), _values(data[end:], game_width), lowest


__all__ = ["Pair", "games_in", "packed", "unpacked"]
