"""The engine's numbered documents."""

import re
from pathlib import Path

import pytest
from django.utils.translation import override

from engine.registry import RULESETS
from games.records.reads.rulebook import (
    Document,
    NoSuchRulesError,
    document_of,
    documents,
    documents_in,
    find_document,
    find_rule,
)

ROOT = Path(__file__).parents[3]


def test_format_and_dealing_documents_come_before_the_games() -> None:
    games = list(dict.fromkeys(document_of(ruleset) for ruleset in RULESETS))
    assert [document.slug for document in documents()] == ["agn", "dealing", *games]


def test_every_rule_heading_is_found() -> None:
    common = {ROOT / "engine" / folder / "RULES.md" for folder in ("agn", "dealing")}
    paths = common | {ruleset.rules for ruleset in RULESETS}
    text = "".join(path.read_text() for path in paths)
    ids = re.findall(r"^### ([A-Z]+-[A-Z]+-\d+)", text, re.MULTILINE)
    assert sorted(rule.id for document in documents() for rule in document.rules) == sorted(ids)


def test_a_rule_is_found_with_its_document() -> None:
    found = find_rule("ATTA-NEST-4")
    assert found
    document, rule = found
    assert (document.slug, rule.title) == ("atta-ants", "Ants in the nest leave it in their turn")


def test_unknown_rule_is_not_found() -> None:
    assert find_rule("ATTA-NEST-99") is None


def test_unknown_document_is_not_found() -> None:
    with pytest.raises(NoSuchRulesError, match="chess"):
        find_document("chess")


def test_sections_hold_their_rules() -> None:
    (leaving,) = (section for section in find_document("atta-ants").sections if section.title == "Leaving")
    assert (leaving.anchor, [rule.id for rule in leaving.rules]) == ("leaving", ["ATTA-LEAVE-1", "ATTA-LEAVE-2"])


# In other languages


def test_every_document_is_available_in_german() -> None:
    assert [document.language for document in documents_in("de")] == ["de"] * len(documents_in("en"))


@pytest.mark.parametrize(
    ("english", "german"),
    [*zip(documents_in("en"), documents_in("de"), strict=True)],
    ids=lambda document: document.slug,
)
def test_both_languages_have_the_same_rules_in_the_same_order(english: Document, german: Document) -> None:
    assert [rule.id for rule in german.rules] == [rule.id for rule in english.rules]
    assert [len(section.rules) for section in german.sections] == [len(section.rules) for section in english.sections]


def test_both_languages_mark_the_same_number_of_readings() -> None:
    for path in (ROOT / "engine").glob("*/RULES.md"):
        english, german = path.read_text(), path.with_suffix(".de.md").read_text()
        assert english.count("\n> Reading: ") == german.count("\n> Lesart: "), path


def test_untranslated_document_falls_back_to_english() -> None:
    assert {document.language for document in documents_in("fr")} == {"en"}


def test_a_rule_is_found_in_the_readers_language() -> None:
    with override("de"):
        found = find_rule("ATTA-NEST-4")
    assert found
    assert found[1].title == "Ameisen im Nest verlassen es in ihrem Zug"
