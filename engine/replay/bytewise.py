"""Reads canonical movetext byte by byte: tokens are recognised without making strings of them.

Only for the compiled engine: interpreted, splitting a text and looking tokens up in a dictionary is faster. Text that
is not canonical, or has a token that is not an action, is read by `engine.agn.reading`; tests keep both ways equal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from engine.agn.log import MAX_TOKEN
from engine.replay.tokens import token_cache
from engine.steps import Prepared

if TYPE_CHECKING:
    from mypy_extensions import i64  # machine words when compiled

COMPILED: Final = not __file__.endswith(".py")
"""Whether this is compiled code."""

_SHORT: Final = 8
"""Characters of a token that fit into a key, seven bits each."""
_SLOTS: Final = 1 << 12
"""Slots at first: few of them are nearer to the processor than many."""
_KEPT: Final = 1 << 14
"""Tokens that a process remembers of a game."""
_SPACE: Final = 32
_LINE_END: Final = 10
_DOT: Final = 46
_ZERO: Final = 48
_NINE: Final = 57
_DIGITS: Final = 4
"""Of a number: there are at most 5,000 actions."""


class Vocabulary:
    """The actions of a game that were seen before, found by their characters."""

    __slots__ = ("_kept", "_last", "_read", "_slots", "longer")

    _last: i64

    def __init__(self, read: Callable[[list[str]], list[object]]) -> None:
        self._read = read
        self._kept = 0
        self._last = _SLOTS - 1
        self._slots: list[Prepared | None] = [None] * _SLOTS
        """Short tokens: each in the first free slot from that of its key on."""
        self.longer: dict[bytes, Prepared] = {}

    def short(self, key: i64) -> Prepared | None:
        """Return a token of at most eight characters; None if it was not seen before."""
        slots, last = self._slots, self._last
        at = slot_of(key) & last
        word = slots[at]
        while word is not None and word.key != key:
            at = at + 1 & last
            word = slots[at]
        return word

    def learn(self, token: bytes, key: i64) -> Prepared | None:
        """Add a token; return None if it is not an action, or not the only way to write it."""
        if not 0 < len(token) <= MAX_TOKEN:
            return None
        text = token.decode()
        steps = self._read([text])
        word = steps[0] if steps else None
        if not isinstance(word, Prepared) or (word.seen and word.seen[0] != text):
            return None
        if self._kept == _KEPT:
            self._kept, self._last, self._slots, self.longer = 0, _SLOTS - 1, [None] * _SLOTS, {}
        self._kept += 1
        word.key, word.seen = key, word.seen or (text,)
        if len(token) > _SHORT:
            self.longer[token] = word
        else:
            if 2 * self._kept > self._last:
                self._double()
            self._put(word)
        return word

    def _put(self, word: Prepared) -> None:
        at = slot_of(word.key) & self._last
        while self._slots[at] is not None:
            at = at + 1 & self._last
        self._slots[at] = word

    def _double(self) -> None:
        """Make twice as many slots, so that at most half of them are taken."""
        words = list(filter(None, self._slots))
        self._last = 2 * self._last + 1
        self._slots = [None] * (self._last + 1)
        for word in words:
            self._put(word)


def slot_of(key: i64) -> i64:
    """Return a number whose last bits say where the search for a key begins."""
    return (key * 0x9E3779B1 ^ key >> 17) >> 7


@cache
def vocabulary(parse_action: Callable[[str], Any], step: Callable[[Any], Any]) -> Vocabulary:
    """Return the vocabulary of a game, shared by its editions."""
    return Vocabulary(token_cache(parse_action, step).read)


class Lines:
    """The lines of a movetext, as far as each is a number and actions and nothing else."""

    __slots__ = ("begins", "end", "first", "spans", "steps")

    def __init__(self) -> None:
        self.first = 0
        """The number of the first line; those of the others follow one by one."""
        self.begins: list[int] = []
        """For each line how many actions there are before it."""
        self.steps: list[Prepared] = []
        self.spans: list[bytes] = []
        """The actions of each line as they are written."""
        self.end = 0
        """Where the first word begins that is neither a line's number nor an action."""

    def text(self) -> str:
        """Return the actions as they are written, with a space between."""
        return b" ".join(self.spans).decode()

    def text_before(self, line: int) -> str:
        """Return the actions of the lines before one as they are written, each with a space after it."""
        return b" ".join([*self.spans[:line], b""]).decode()

    def tokens(self, line: int) -> list[str]:
        """Return the actions of a line as they are written."""
        return self.spans[line].decode().split(" ")


def read_lines(data: bytes, known: Vocabulary) -> Lines | None:
    """Read a movetext up to the first word that is not an action.

    :param data: ASCII.
    :returns: None if the lines before that word are not canonical.
    """
    found = Lines()
    at: i64 = 0
    before: i64 = 0
    while True:
        number, after = _number(data, at)
        if number == 0:  # normally the result
            found.end = at
            return found
        if before == 0:
            found.first = number
        elif number != before + 1:
            return None
        before = number
        found.begins.append(len(found.steps))
        at = _read_actions(data, after, known, found)
        end: i64 = found.end if at < 0 else at
        if end > after:
            found.spans.append(data[after : end - 1])
        if at < 0:
            return found if found.end else None


def _number(data: bytes, begin: i64) -> tuple[i64, i64]:
    """Return the number of a line and where its actions begin, after a dot and a space; 0 if there is no number."""
    size: i64 = len(data)
    value: i64 = 0
    at = begin
    while at < size and _ZERO <= data[at] <= _NINE and at < begin + _DIGITS:
        value = value * 10 + data[at] - _ZERO
        at += 1
    if at + 2 < size and data[at] == _DOT and data[at + 1] == _SPACE and data[begin] != _ZERO:
        return value, at + 2
    return 0, begin


def _read_actions(data: bytes, begin: i64, known: Vocabulary, found: Lines) -> i64:
    """Read the actions of a line.

    :returns: where the next line begins; -1 where reading ends: at a word that is not an action, whose place `end` then
        holds, or at white space that is not canonical.
    """
    steps = found.steps
    size: i64 = len(data)
    at = begin
    while True:
        start = at
        key: i64 = 0
        char: i64 = _SPACE
        while at < size:
            char = data[at]
            if char <= _SPACE:
                break
            key = key << 7 | char
            at += 1
        word = known.short(key) if at - start <= _SHORT else known.longer.get(data[start:at])
        if word is None:
            word = known.learn(data[start:at], key)
            if word is None:
                found.end = start
                return -1
        steps.append(word)
        if at == size or (char != _SPACE and char != _LINE_END):  # noqa: PLR1714 (mypyc makes a tuple)
            return -1
        at += 1
        if char == _LINE_END:
            return at
