"""Reading the quick guides: how to play a game in two minutes, in steps that each have a board."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.translation import get_language
from markdown_it.token import Token

from games.records.reads.rulebook import HEADING, Block, NoSuchRulesError, read_blocks, rules_of_games

_FILE = "QUICK.md"


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A step of a guide."""

    title: str
    record: str | None
    """A record that leads to the step's position; none for a step without a board."""
    text: tuple[Token, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QuickGuide:
    """How to play a game in two minutes."""

    slug: str
    language: str
    title: str
    lede: tuple[Token, ...]
    steps: tuple[Step, ...]


def has_guide(slug: str) -> bool:
    """Return whether a game has a quick guide."""
    return slug in _guides(settings.LANGUAGE_CODE)


def find_guide(slug: str) -> QuickGuide:
    """Find a game's guide, translated where there is a translation.

    :raises NoSuchRulesError: when the game has none.
    """
    guide = _guides(get_language() or settings.LANGUAGE_CODE).get(slug)
    if guide is None:
        raise NoSuchRulesError(slug)
    return guide


@cache
def _guides(language: str) -> dict[str, QuickGuide]:
    """Return the guides in a language by their games: editions of a game share theirs."""
    return {guide.slug: guide for guide in _read(language)}


def _read(language: str) -> Iterator[QuickGuide]:
    for slug, rules in rules_of_games().items():
        path = rules.with_name(_FILE)
        if path.exists():
            yield _guide(slug, *read_blocks(path, language))


def _guide(slug: str, language: str, blocks: tuple[Block, ...]) -> QuickGuide:
    title, *steps = blocks
    return QuickGuide(slug, language, title[1].content, title[HEADING:], tuple(map(_step, steps)))


def _step(block: Block) -> Step:
    heading, text = block[1].content, block[HEADING:]
    if text[0].type == "fence":
        return Step(heading, text[0].content, text[1:])
    return Step(heading, None, text)
