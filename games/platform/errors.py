"""Refusals: why something cannot be done, in a sentence that can be translated."""

from typing import Self

from engine.words import Words, render
from games.sentences import translated


class RefusedError(ValueError):
    """A request that is refused; nothing of it was done. `code` names the reason for programs."""

    parameter = ""
    """Where in a request the fault is, if it is in one parameter."""

    def __init__(self, code: str, template: str, /, **params: object) -> None:
        super().__init__(render(template, params))
        self.code = code
        self.template = template
        self.params = params

    @classmethod
    def of(cls, code: str, said: Words) -> Self:
        """Return a refusal with a sentence from elsewhere."""
        return cls(code, said.template, **dict(said.params))

    @property
    def sentence(self) -> str:
        """Return why it is refused, in the reader's language."""
        return render(self.template, self.params, translated)
