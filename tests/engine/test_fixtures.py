"""The fixtures are correct and complete."""

import re
from pathlib import Path

import pytest

from engine.verify import REJECTED, verify_bytes
from tests.golden import DERIVED, FOLDERS, golden_files, records, verdicts
from tests.strategies import FIXTURES

ENGINE = Path(__file__).parents[2] / "engine"
DOCUMENTS = sorted(ENGINE.glob("*/RULES.md"))
RULE_ID = re.compile(r"\b(?:AGN|[A-Z]{4,})-[A-Z]+-[0-9]+\b")
HEADING = re.compile(r"^### (\S+) · (.+)\n(?=[^#\n])", re.MULTILINE)

DEALS = FIXTURES / "dealing" / "deals.ndjson"
"""Written beside the golden files and tested with an independent implementation (`tests/engine/dealing/`)."""
FOUND = (path for folder in FOLDERS for kind in ("", *DERIVED) for path in (folder / kind).glob("*.*"))
GOLDEN = sorted(path for path in FOUND if path != DEALS)

each = pytest.mark.parametrize


def rule_of(path: Path) -> str:
    found = RULE_ID.match(path.name)
    assert found, f"{path.name} does not begin with the id of a rule"
    return found[0]


def defined() -> list[str]:
    return [rule for document in DOCUMENTS for rule, _ in HEADING.findall(document.read_text())]


@each("path", records("broken"), ids=lambda path: path.name)
def test_broken_record_breaks_the_rule_in_its_file_name(path: Path) -> None:
    first = verdicts(path)[0]

    assert first.verdict == REJECTED
    assert first.fault is not None
    assert first.fault.rule == rule_of(path)


@each("path", records("broken"), ids=lambda path: path.name)
def test_fault_has_a_position_and_a_full_sentence(path: Path) -> None:
    fault = verdicts(path)[0].fault

    assert fault is not None
    assert 1 <= fault.line <= path.read_bytes().count(b"\n") + 1
    assert fault.column >= 1
    assert re.fullmatch(r"\S.{8,}\.", fault.message)


@each("path", records("games"), ids=lambda path: path.name)
def test_every_game_fixture_is_legal(path: Path) -> None:
    assert [verdict.fault for verdict in verdicts(path) if verdict.fault] == []


@each("path", [*records("games"), *records("shown")], ids=lambda path: path.name)
def test_a_game_put_into_canonical_form_stays_the_same_game(path: Path) -> None:
    for verdict in verdicts(path):
        if verdict.text is not None:
            (again,) = verify_bytes(verdict.text.encode())
            assert (again.text, again.digest) == (verdict.text, verdict.digest)


@each("path", GOLDEN, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_verdicts_match_the_golden_files(path: Path) -> None:
    assert path.read_text() == golden_files().get(path), "`python -m tests.golden` writes it anew"


def test_no_golden_file_is_missing_or_left_over() -> None:
    assert sorted(golden_files()) == GOLDEN


def test_every_fixture_folder_is_described_in_the_readme() -> None:
    readme = (FIXTURES / "README.md").read_text()
    folders = {path.name for path in (*FIXTURES.iterdir(), *FIXTURES.glob("*/*")) if path.is_dir()}

    assert {name for name in folders if f"`{name}/`" not in readme} == set()


# The ids of rules


def test_every_rule_is_defined_once() -> None:
    assert sorted(set(defined())) == sorted(defined())


@each("document", DOCUMENTS, ids=lambda document: document.parent.name)
def test_every_definition_has_a_title_and_a_text(document: Path) -> None:
    text = document.read_text()

    assert len(HEADING.findall(text)) == text.count("\n### ")


@each("document", DOCUMENTS, ids=lambda document: document.parent.name)
def test_each_document_defines_rules_of_one_family(document: Path) -> None:
    kinds = {rule.partition("-")[0] for rule, _ in HEADING.findall(document.read_text())}

    assert len(kinds) == 1


@each("file", [*ENGINE.rglob("*.py"), *DOCUMENTS], ids=lambda file: str(file.relative_to(ENGINE)))
def test_every_rule_that_is_cited_is_defined(file: Path) -> None:
    cited = set(RULE_ID.findall(file.read_text()))

    assert cited <= set(defined())


def test_every_rule_has_a_record_that_breaks_or_illustrates_it() -> None:
    broken, shown = ({rule_of(path) for path in records(kind)} for kind in ("broken", "shown"))

    assert sorted(broken | shown) == sorted(defined())
    assert broken & shown == set()


def test_every_rule_raised_by_the_engine_has_a_record_that_breaks_it() -> None:
    raised = re.compile(r'(?:Error|wrong|_refuse|_out_of_phase)\([^)]*?"([A-Z]{3,}-[A-Z]+-[0-9]+)"')
    # A broken deal rejects no record: the effect of DEAL rules is seen in `shown`.
    rules = {
        rule
        for file in ENGINE.rglob("*.py")
        for rule in raised.findall(file.read_text())
        if not rule.startswith("DEAL-")
    }

    assert len(rules) > 35
    assert rules <= {rule_of(path) for path in records("broken")}
