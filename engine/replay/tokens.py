"""What the tokens of a log say, before anybody asks whether that is legal."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from engine.agn.administrative import parse_administrative
from engine.agn.reading import NUMBER, RESULT
from engine.ruleset import MoveSyntaxError, Step

A = TypeVar("A")

_KEPT = 1 << 14
"""Different tokens of a game that a process remembers: some ten megabytes, were they all hostile."""


class TokenCache(dict[str, Step | None]):
    """What tokens say: an action, ready to be played, or nothing for a number.

    Nearly all tokens of a game come again and again, and looking up what they say is the least of verification.
    """

    def __init__(self, parse_action: Callable[[str], A], step: Callable[[A], Step]) -> None:
        super().__init__()
        self.parse: Callable[[str], Step] = lambda token: step(parse_action(token))

    def __missing__(self, token: str) -> Step | None:
        if RESULT.fullmatch(token) or parse_administrative(token):
            raise _OtherWordError
        word = None if NUMBER.fullmatch(token) else self.parse(token)
        if len(self) >= _KEPT:
            self.clear()
        self[token] = word
        return word

    def read(self, tokens: Sequence[str]) -> list[Step | None]:
        """Return the words of a stretch of actions and numbers: up to the first token that is neither."""
        words: list[Step | None] = []
        with suppress(_OtherWordError, MoveSyntaxError):
            words.extend(map(self.__getitem__, tokens))  # what came before an error has been added
        return words


class _OtherWordError(Exception):
    """A token is a result or administrative."""


@cache
def known_words(parse_action: Callable[[str], Any], step: Callable[[Any], Step]) -> TokenCache:
    """Return what is known of a game's tokens, whatever the edition."""
    return TokenCache(parse_action, step)
