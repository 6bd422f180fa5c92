"""Suggests which actions an incomplete or mistyped token may mean."""

from collections.abc import Iterable
from difflib import SequenceMatcher

COMPLETIONS = 4
_COMPARED = 40
"""Number of actions compared letter by letter: those with the longest common beginning."""


def completions(typed: str, legal: Iterable[str]) -> list[str]:
    """Return up to four legal tokens, those most similar to what was typed first."""
    likely = sorted(legal, key=lambda token: -_shared(typed, token))
    begun = sorted((token for token in likely if token.startswith(typed)), key=len)
    alike = SequenceMatcher(b=typed, autojunk=False)
    others = sorted(likely[:_COMPARED], key=lambda token: -_likeness(alike, token))
    return list(dict.fromkeys((*begun, *others)))[:COMPLETIONS]


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _likeness(alike: SequenceMatcher[str], token: str) -> float:
    alike.set_seq1(token)
    return alike.ratio()
