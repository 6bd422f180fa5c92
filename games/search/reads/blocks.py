"""Blocks of the index of positions: sorted pairs of a position's number and a game, packed byte by byte."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from struct import Struct
from sys import byteorder
from typing import Final, NamedTuple, Self

Pair = tuple[int, int]
"""The number of a position, and a game that reached it."""

_MOST: Final = 1_950
"""Bytes of a block: four rows of that size fill a page of PostgreSQL, and none is stored apart."""
_HEAD: Final = Struct("<BBq")
"""With what a block begins: bytes of a number, bytes of a game, and the lowest game."""
_MOST_PAIRS: Final = (_MOST - _HEAD.size) // 2
_WHOLE: Final = 8
"""Bytes of a number in memory."""
_GAME: Final = 63
"""Bits of a game's id in a joined pair."""
_GAME_MASK: Final = (1 << _GAME) - 1


class Pairs(NamedTuple):
    """Sorted pairs in two columns, which are sorted and packed in half the time that tuples take."""

    numbers: Sequence[int]
    games: Sequence[int]

    @classmethod
    def of_games(cls, reached: Mapping[int, Iterable[int]]) -> Self:
        """Return the pairs of some games, given by the different numbers of the positions that each reached."""
        games = list(reached)
        bits = len(games).bit_length()
        mask, joined = (1 << bits) - 1, list[int]()
        for at, game in enumerate(sorted(games)):
            joined += [number << bits | at for number in reached[game]]
        joined.sort()
        games.sort()
        return cls([one >> bits for one in joined], [games[one & mask] for one in joined])

    @classmethod
    def of_joined(cls, joined: Iterable[int]) -> Self:
        """Return sorted pairs, each joined to one number."""
        joined = list(joined)
        return cls([one >> _GAME for one in joined], [one & _GAME_MASK for one in joined])


def packed(pairs: Pairs) -> Iterator[tuple[int, bytes]]:
    """Yield blocks that hold pairs, each with the lowest number in it."""
    begin, count = 0, _MOST_PAIRS
    while begin < len(pairs.numbers):
        # As many as in the block before are tried first: blocks one after another are alike.
        block, count = _block(pairs, begin, count)
        yield pairs.numbers[begin], block
        begin += count


def unpacked(first: int, data: bytes) -> list[Pair]:
    """Return the pairs of a block."""
    numbers, games, lowest = _columns(data)
    return [(first + number, lowest + game) for number, game in zip(numbers, games, strict=True)]


def joined(first: int, data: bytes, numbers: range) -> list[int]:
    """Return the pairs of a block whose numbers are in a range, each joined to one number."""
    found, games, lowest = _columns(data)
    begin, end = bisect_left(found, numbers.start - first), bisect_left(found, numbers.stop - first)
    return [
        first + number << _GAME | lowest + game for number, game in zip(found[begin:end], games[begin:end], strict=True)
    ]


def games_in(first: int, data: bytes, number: int) -> list[int]:
    """Return the games of a block that reached a position, in the order of their ids."""
    numbers, games, lowest = _columns(data)
    begin, end = bisect_left(numbers, number - first), bisect_right(numbers, number - first)
    return [lowest + game for game in games[begin:end]]


def _block(pairs: Pairs, begin: int, count: int) -> tuple[bytes, int]:
    """Return the block that begins with a pair, and how many pairs are in it.

    :param count: how many are tried first.
    """
    fits = _MOST_PAIRS
    while True:
        numbers, games = pairs.numbers[begin : begin + count], pairs.games[begin : begin + count]
        first, lowest = numbers[0], min(games)
        widths = _width(numbers[-1] - first), _width(max(games) - lowest)
        room = (_MOST - _HEAD.size) // sum(widths)
        if len(numbers) > room:
            count = fits = room  # from now on no more are tried, for wider columns might not fit
        elif len(numbers) == min(room, fits, len(pairs.numbers) - begin):
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


__all__ = ["Pair", "Pairs", "games_in", "joined", "packed", "unpacked"]
