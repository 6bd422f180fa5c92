"""Parameters that are unknown, repeated or have a wrong value, refused in the same words wherever they are sent."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Self

from engine.words import Words, words
from games.platform.errors import RefusedError

_LONGEST = 64
"""Characters of a name that are repeated to its sender."""


class ParameterError(RefusedError):
    """A request whose fault is in one parameter, option, field or header."""

    def __init__(self, name: str, template: str, /, **params: object) -> None:
        super().__init__("invalid", template, **params)
        self.parameter = name[:_LONGEST]

    @classmethod
    def about(cls, name: str, said: Words) -> Self:
        """Return the refusal of a name, with a sentence from elsewhere."""
        return cls(name, said.template, **dict(said.params))


def unknown(name: str, known: Collection[str]) -> Words:
    """Return why a name is refused, with the nearest of the known names, or with all of them if none is near."""
    shown = name[:_LONGEST]
    if not known:
        return words("There is no parameter “{name}” here: this address takes none.", name=shown)
    if near := nearest(name, known):
        return words("There is no parameter “{name}” here. Did you mean “{nearest}”?", name=shown, nearest=near)
    options = ", ".join(sorted(known))
    return words("There is no parameter “{name}” here. Use one of: {options}.", name=shown, options=options)


def nearest(name: str, known: Collection[str]) -> str:
    """Return the known name that is most like another; empty if none is near."""
    return next(iter(get_close_matches(name[:_LONGEST].lower(), sorted(known), n=1)), "")


def repeated(name: str) -> Words:
    """Return why a name is refused that was sent more than once."""
    return words("“{name}” was sent more than once. Send it once.", name=name[:_LONGEST])


def not_allowed(name: str, value: str | int, allowed: Iterable[str]) -> Words:
    """Return why a value is refused, with those that are allowed."""
    shown = value if isinstance(value, int) else value[:_LONGEST]
    return words("{name} is {value}; allowed: {allowed}.", name=name, value=shown, allowed=", ".join(allowed))
