"""Reading the quick guides: how to play a game in two minutes, in steps that each have a board."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.token import Token

from engine.registry import RULESETS
from games.records.reads.rulebook import NoSuchRulesError, document_of

_FILE = "QUICK"
_HEADING = 3
"""Tokens of a heading."""


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
    for slug, rules in {document_of(ruleset): ruleset.rules for ruleset in RULESETS}.items():
        translated, path = rules.with_name(f"{_FILE}.{language}.md"), rules.with_name(f"{_FILE}.md")
        if translated.exists():
            yield _parse(slug, language, translated.read_text(encoding="utf-8"))
        elif path.exists():
            yield _parse(slug, settings.LANGUAGE_CODE, path.read_text(encoding="utf-8"))


def _parse(slug: str, language: str, text: str) -> QuickGuide:
    tokens = MarkdownIt("commonmark", {"html": False}).parse(text)
    begins = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
    title, *steps = (tokens[begin:end] for begin, end in zip(begins, [*begins[1:], len(tokens)], strict=True))
    return QuickGuide(slug, language, title[1].content, tuple(title[_HEADING:]), tuple(map(_step, steps)))


def _step(tokens: list[Token]) -> Step:
    _opening, heading, _closing, *rest = tokens
    record = rest.pop(0).content if rest[0].type == "fence" else None
    return Step(heading.content, record, tuple(rest))
