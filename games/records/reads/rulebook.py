"""Reading the rules: the engine's numbered documents, for each game, the record format and deals, in many languages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.token import Token

import engine.agn
import engine.dealing
from engine.registry import RULESETS
from engine.ruleset import Ruleset

FORMAT = "agn"
"""Names the record format among the documents."""
DEALING = "dealing"
"""Names what holds for the deals of all games."""

RULE_ID = re.compile(r"\b[A-Z]+(?:-[A-Z]+)+-[0-9]+\b")
_HEADING = re.compile(rf"({RULE_ID.pattern}) · (.+)")


class NoSuchRulesError(LookupError):
    """A name of a document that does not exist."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A numbered rule: its id and its title."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class RuleLink:
    """A rule as pages name it."""

    id: str
    title: str
    url: str | None
    """Its address; none for an id that no document has, as an older engine may have stored."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document and the rules in it."""

    anchor: str
    title: str
    rules: tuple[Rule, ...]


HEADING = 3
"""Tokens of a heading."""
Block = tuple[Token, ...]
"""A heading, if there is one, and what follows it up to the next heading, as Markdown tokens."""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """The rules of one game, of the record format, or of deals."""

    slug: str
    language: str
    title: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return all its rules."""
        return tuple(rule for section in self.sections for rule in section.rules)


def documents() -> tuple[Document, ...]:
    """Return every document, translated where there is a translation: format, deals, then the games."""
    return documents_in(get_language() or settings.LANGUAGE_CODE)


@cache
def documents_in(language: str) -> tuple[Document, ...]:
    """Return every document in a language, or in the one in which all are written: format, deals, then the games."""
    common = {FORMAT: engine.agn, DEALING: engine.dealing}
    paths = {slug: Path(package.__path__[0]) / "RULES.md" for slug, package in common.items()} | rules_of_games()
    return tuple(_read(slug, path, language) for slug, path in paths.items())


def rules_of_games() -> dict[str, Path]:
    """Return the rules document of each game, by its name. Editions of a game share one."""
    return {document_of(ruleset): ruleset.rules for ruleset in RULESETS}


def document_of(ruleset: Ruleset[Any, Any]) -> str:
    """Return the name of the document with the rules of a ruleset."""
    return slugify(ruleset.game)


def ruleset_called(name: str) -> Ruleset[Any, Any]:
    """Return the ruleset of a slug, or the first edition of a game.

    :raises KeyError: when there is none.
    """
    for ruleset in RULESETS:
        if name in (ruleset.slug, document_of(ruleset)):
            return ruleset
    raise KeyError(name)


def find_document(slug: str) -> Document:
    """Find a document.

    :raises NoSuchRulesError: when none has this name.
    """
    for document in documents():
        if document.slug == slug:
            return document
    raise NoSuchRulesError(slug)


def find_rule(rule: str) -> tuple[Document, Rule] | None:
    """Return a rule and its document; None for an unknown id."""
    return _places(documents()).get(rule)


@cache
def rule_url(rule: str) -> str | None:
    """Return the address at which a rule is explained; None for an unknown id."""
    found = find_rule(rule)
    return f"{reverse('rules', args=[found[0].slug])}#{rule}" if found else None


def rule_link(rule: str) -> RuleLink:
    """Return a rule with its title and its address."""
    found = find_rule(rule)
    return RuleLink(rule, found[1].title, rule_url(rule)) if found else RuleLink(rule, "", None)


@cache
def _places(among: tuple[Document, ...]) -> dict[str, tuple[Document, Rule]]:
    return {rule.id: (document, rule) for document in among for rule in document.rules}


def rule_of(block: Block) -> Rule | None:
    """Return the rule that a block defines, if any."""
    match = _HEADING.fullmatch(block[1].content) if block[0].type == "heading_open" else None
    return Rule(match[1], match[2].replace("`", "")) if match else None


def read_blocks(path: Path, language: str) -> tuple[str, tuple[Block, ...]]:
    """Read a document in a language, or in English if it is not translated.

    :returns: the language found, and the blocks; the first one has the title.
    """
    translated = path.with_suffix(f".{language}.md")
    if not translated.exists():
        language, translated = settings.LANGUAGE_CODE, path
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return language, tuple(_blocks(markdown.parse(translated.read_text(encoding="utf-8"))))


def _read(slug: str, path: Path, language: str) -> Document:
    language, (title, *blocks) = read_blocks(path, language)
    opening = title[HEADING:]
    whole = ((opening,) if opening else ()) + tuple(blocks)
    return Document(slug, language, title[1].content, whole, tuple(_sections(blocks)))


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    begins = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
    for begin, end in zip(begins, [*begins[1:], len(tokens)], strict=True):
        yield tuple(tokens[begin:end])


def _sections(blocks: list[Block]) -> Iterator[Section]:
    title, rules = "", list[Rule]()
    for block in blocks:
        if block[0].tag == "h2":
            if title:
                yield Section(slugify(title), title, tuple(rules))
            title, rules = block[1].content, []
        elif rule := rule_of(block):
            rules.append(rule)
    if title:
        yield Section(slugify(title), title, tuple(rules))
