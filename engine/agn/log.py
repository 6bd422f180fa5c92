"""A parsed record: its tags, tokens and comments, and where they are in the file. The limits of AGN-FILE-2."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import NamedTuple

from engine.ruleset import RuleError

MAX_TEXT = 256 * 1024
"""Bytes of a game's text."""
MAX_ACTIONS = 5_000
MAX_TAGS = 64
MAX_TOKEN = 64
"""Characters of a token."""

Place = tuple[int, int]
"""A line in the file and a column in it, both from 1, the column in characters."""


class AgnError(RuleError):
    """A record breaks a rule of the format at some place; `token` is the token there, if any."""

    def __init__(
        self, rule: str, place: Place, template: str, /, *, token: str | None = None, **params: object
    ) -> None:
        super().__init__(rule, template, **params)
        self.place = place
        self.token = token


class Record(NamedTuple):
    """One game's text as found in a file, before any of it is parsed."""

    game: int
    """The game's number in the file, from 1."""
    line: int
    """The line of the file in which it begins, from 1."""
    form: str
    """`text` or `json`."""
    data: bytes
    too_long: bool = False
    """Whether the text is longer than MAX_TEXT; `data` is then only its beginning."""
    offset: int = 0
    """The byte of the file at which it begins, from 0; a byte order mark counts."""
    day: date | None = None
    """The day of the verdict, in UTC, where it is known, as on a site: later dates are a fault (AGN-TAG-6)."""
    was_legal: bool = False
    """Whether an earlier verdict found it legal: then no date is a fault, though one in the future says nothing."""


class Log(NamedTuple):
    """A parsed record; whether its actions are legal has not been checked yet."""

    tags: Mapping[str, str]
    tag_place: Callable[[str], Place]
    """Where a tag is; of a missing tag, where the tags begin."""
    tokens: tuple[str, ...]
    """Numbers, actions and the result, in order, up to the first fault of form."""
    comments: tuple[tuple[int, str], ...]
    """Each comment with the number of tokens before it."""
    fault: AgnError | None
    """What is wrong with the form of the text that follows the tokens."""
    token_place: Callable[[int], Place]
    """Where a token is, by its number; of the number after the last, where the text ends."""
    token_places: Callable[[], list[Place]]
    """Where each token is, and last where the text ends: all at once, for those who want many."""
