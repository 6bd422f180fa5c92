"""The meaning of tokens, before it is checked whether they are legal."""

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
    """A cache of parsed tokens: an action prepared for playing, or None for a number.

    Nearly all tokens of a game recur, so looking them up takes almost no time.
    """

    def __init__(self, parse_action: Callable[[str], A], step: Callable[[A], Step]) -> None:
        super().__init__()
        self.parse: Callable[[str], Step] = lambda token: step(parse_action(token))

    def __missing__(self, token: str) -> Step | None:
        if RESULT.fullmatch(token) or parse_administrative(token):
            raise _NotAnActionError
        word = None if NUMBER.fullmatch(token) else self.parse(token)
        if len(self) >= _KEPT:
            self.clear()
        self[token] = word
        return word

    def read(self, tokens: Sequence[str]) -> list[Step | None]:
        """Return the meanings of actions and numbers, up to the first token that is neither."""
        words: list[Step | None] = []
        with suppress(_NotAnActionError, MoveSyntaxError):
            words.extend(map(self.__getitem__, tokens))  # tokens before an error have been added
        return words


class _NotAnActionError(Exception):
    """A token is a result or administrative."""


@cache
def token_cache(parse_action: Callable[[str], Any], step: Callable[[Any], Step]) -> TokenCache:
    """Return the cache of a game's tokens, shared by its editions."""
    return TokenCache(parse_action, step)
