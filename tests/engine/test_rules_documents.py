"""The English and German rules say the same."""

import re
import tomllib
from pathlib import Path

import pytest

import engine
from engine.registry import RULESETS
from engine.verify import UNFINISHED, verify_bytes

COMMON = [Path(engine.__file__).parent / folder / "RULES.md" for folder in ("agn", "dealing")]
"""The record format, and the deals of all games."""
GAMES = list(dict.fromkeys(ruleset.rules for ruleset in RULESETS))
DOCUMENTS = [*COMMON, *GAMES]

HEADING = re.compile(r"^(#+) (?:([A-Z]+-[A-Z]+-\d+) · )?(.+)$", re.MULTILINE)
FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
FENCE_LINE = re.compile(r"^```\w*$", re.MULTILINE)
ITEM = re.compile(r"^- ", re.MULTILINE)
TABLE = re.compile(r"^\|(?: --- \|)+$", re.MULTILINE)
BOARD = re.compile(r"^```board\n((?:.*\n)*?)```\n\n(.*)$", re.MULTILINE)
"""A record to be drawn, and the line after it."""
CODE = re.compile(r"`[^`\n]+`")
READING = {"en": "> Reading: ", "de": "> Lesart: "}

each = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.parent.name)


def german(document: Path) -> str:
    return document.with_suffix(".de.md").read_text(encoding="utf-8")


def english(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def headings(text: str) -> list[tuple[str, str]]:
    """Return every heading's level and rule id, if any."""
    return [(level, rule) for level, rule, _ in HEADING.findall(FENCE.sub("", text))]


def under_headings(text: str) -> list[str]:
    """Return the text under each heading."""
    return re.split(r"^#+ .*\n", FENCE.sub("", text), flags=re.MULTILINE)


@each
def test_both_languages_define_the_same_rules_in_the_same_order(document: Path) -> None:
    assert headings(german(document)) == headings(english(document))


@each
def test_both_languages_mark_the_same_number_of_readings_per_section(document: Path) -> None:
    readings = [part.count(READING["en"]) for part in under_headings(english(document))]

    assert [part.count(READING["de"]) for part in under_headings(german(document))] == readings


@each
def test_every_quotation_is_a_reading(document: Path) -> None:
    for text, mark in ((english(document), READING["en"]), (german(document), READING["de"])):
        quotations = [block for block in text.split("\n\n") if block.startswith(">")]
        assert [block for block in quotations if not block.startswith(mark)] == []


@each
def test_both_languages_have_the_same_tables_and_blocks(document: Path) -> None:
    for shape in (TABLE, FENCE_LINE, ITEM):
        assert shape.findall(german(document)) == shape.findall(english(document))


@each
def test_german_sections_keep_the_english_tokens_and_tags(document: Path) -> None:
    both = zip(under_headings(german(document)), under_headings(english(document)), strict=True)

    for in_german, in_english in both:
        assert set(CODE.findall(in_english)) <= set(CODE.findall(in_german))


@each
def test_both_languages_are_shipped(document: Path) -> None:
    with (document.parents[2] / "pyproject.toml").open("rb") as file:
        shipped = tomllib.load(file)["tool"]["setuptools"]["package-data"]["*"]

    for path in (document, document.with_suffix(".de.md")):
        assert any(path.match(pattern) for pattern in shipped)


@each
def test_every_heading_is_translated(document: Path) -> None:
    both = zip(HEADING.findall(german(document)), HEADING.findall(english(document)), strict=True)
    same = {title for (*_, title), (*_, other) in both if title == other}

    assert same <= {"Atta Ants", "Ant Trails", "Army Ants", "JSON", "Syntax"}


# Boards


def parts(text: str) -> list[str]:
    return re.split(r"^#+ ", text, flags=re.MULTILINE)


def boards(text: str) -> list[str]:
    return [record for record, _ in BOARD.findall(text)]


@each
def test_both_languages_draw_the_same_boards_under_the_same_headings(document: Path) -> None:
    for in_german, in_english in zip(parts(german(document)), parts(english(document)), strict=True):
        assert boards(in_german) == boards(in_english)


@pytest.mark.parametrize("document", GAMES, ids=lambda document: document.parent.name)
def test_every_board_is_a_legal_record_of_its_game(document: Path) -> None:
    verdicts = [verdict for record in boards(english(document)) for verdict in verify_bytes(record.encode())]

    assert {verdict.verdict for verdict in verdicts} == {UNFINISHED}
    assert {verdict.ruleset.rules for verdict in verdicts if verdict.ruleset} == {document}


@each
def test_every_board_has_a_caption(document: Path) -> None:
    for text in (english(document), german(document)):
        captions = [caption for _, caption in BOARD.findall(text)]
        assert len(captions) == text.count("```board\n")
        assert [caption for caption in captions if caption[:1] in {"", "#", ">", "|", "-"} or "```" in caption] == []
