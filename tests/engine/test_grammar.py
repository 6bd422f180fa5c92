"""The shipped grammar and schema, checked with all fixtures and with mutated records."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.agn.log import AgnError, Record
from engine.agn.reading import NUMBER, parse
from engine.grammar import grammar, json_schema
from engine.registry import RULESETS
from engine.ruleset import MoveSyntaxError
from engine.verify import REJECTED, Verdict, verify_bytes
from tests.engine.agn.records import as_json
from tests.engine.ebnf import Grammar, names_in, read
from tests.engine.test_fixtures import DOCUMENTS, ENGINE, RULE_ID, rule_of
from tests.golden import records, verdicts
from tests.strategies import FIXTURES, AnyRuleset, Playout, playouts, recorded, written

TABLE = re.compile(r"^\| (\S+-[0-9]+) \| (yes|part|no|–) \| (yes|part|no|–) \|", re.MULTILINE)
GAMES = list({ruleset.game: ruleset for ruleset in RULESETS}.values())
JSON_FILES = sorted(FIXTURES.glob("*/canonical/*.json"))

each = pytest.mark.parametrize
each_game = each("ruleset", GAMES, ids=lambda ruleset: ruleset.slug)
each_broken = each("path", records("broken"), ids=lambda path: path.name)


@cache
def grammar_of(ruleset: AnyRuleset) -> Grammar:
    return read(grammar(ruleset))


@cache
def schema() -> Draft202012Validator:
    return Draft202012Validator(json_schema())


@cache
def decisions() -> dict[str, tuple[str, str]]:
    """Return for each rule whether the grammar decides it and whether the schema does."""
    tables = [path.read_text() for path in sorted(ENGINE.glob("*/GRAMMAR.md"))]
    return {rule: (text, by_json) for table in tables for rule, text, by_json in TABLE.findall(table)}


def decides(rule: str) -> tuple[str, str]:
    return decisions().get(rule, ("no", "no"))


def accepts_text(verdict: Verdict) -> bool:
    """Return whether a text record matches its game's grammar, or any grammar if it names no game."""
    try:
        text = verdict.record.data.decode()
    except UnicodeDecodeError:
        return False
    rulesets = [verdict.ruleset] if verdict.ruleset else GAMES
    return any(grammar_of(ruleset).matches("record", text) for ruleset in rulesets)


def object_of(record: Record) -> Any:
    """Return a record as an object for the schema. :raises ValueError: when that is impossible."""
    if record.form == "json":
        return json.loads(record.data)
    log = parse(record)
    if log.fault:
        raise ValueError("its text has no end of a comment, or none of its words")
    words = [token for token in log.tokens if not NUMBER.fullmatch(token)]
    return {"format": "agn/1", "tags": dict(log.tags), "actions": words[:-1], "result": "".join(words[-1:])}


# Grammar and schema are complete


@each_game
def test_grammar_of_every_game_defines_and_uses_all_its_rules(ruleset: AnyRuleset) -> None:
    rules = grammar_of(ruleset).rules
    mentioned = {name for body in rules.values() for name in names_in(body)}

    assert mentioned - rules.keys() == set()
    assert rules.keys() - mentioned == {"record", "canonical"}


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(json_schema())

    assert set(json_schema()["$defs"]) >= {ruleset.game for ruleset in RULESETS}


@each("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_grammar_and_schema_know_every_edition_and_seating(ruleset: AnyRuleset) -> None:
    part = Draft202012Validator(json_schema()["$defs"][ruleset.game]["properties"]["tags"]["properties"])
    seats = Draft202012Validator(part.schema["Seats"])

    assert grammar_of(ruleset).matches("edition", ruleset.edition)
    assert ruleset.edition in part.schema["Rules"]["enum"]
    for letters in ruleset.seatings:
        line = " ".join(letters)
        assert grammar_of(ruleset).matches("seats", line)
        assert seats.is_valid(line)


def test_tables_name_only_existing_rules() -> None:
    known = {rule for document in DOCUMENTS for rule in RULE_ID.findall(document.read_text())}

    assert len(decisions()) > 20
    assert decisions().keys() <= known


# Legal records pass


@each("path", [*records("games"), *records("shown")], ids=lambda path: path.name)
def test_legal_record_matches_grammar_and_schema(path: Path) -> None:
    for verdict in verdicts(path):
        if verdict.verdict != REJECTED and verdict.ruleset and verdict.text:
            assert verdict.record.form == "json" or accepts_text(verdict)
            assert grammar_of(verdict.ruleset).matches("canonical", verdict.text)
            assert [error.message for error in schema().iter_errors(object_of(verdict.record))] == []


@each("path", JSON_FILES, ids=lambda path: f"{path.parents[1].name}-{path.name}")
def test_json_record_matches_the_schema(path: Path) -> None:
    assert [error.message for error in schema().iter_errors(json.loads(path.read_text()))] == []


@settings(max_examples=40)
@given(st.data())
def test_freely_formatted_record_matches_the_grammar(data: st.DataObject) -> None:
    playout: Playout = data.draw(playouts())

    assert grammar_of(playout.ruleset).matches("record", data.draw(written(playout)))
    assert grammar_of(playout.ruleset).matches("canonical", playout.text())


@each("name", ["tabs-and-spaces", "one-token-a-line", "lines-end-in-crlf", "no-numbers"])
def test_freely_formatted_record_does_not_match_the_canonical_grammar(name: str) -> None:
    (verdict, *_) = verdicts(FIXTURES / "agn" / "games" / f"{name}.agn")

    assert verdict.ruleset
    assert not grammar_of(verdict.ruleset).matches("canonical", verdict.record.data.decode() + "\n")


# Broken records pass where the tables say the form does not show it


@each_broken
def test_grammar_rejects_what_its_table_says(path: Path) -> None:
    verdict = verdicts(path)[0]
    by_text, _ = decides(rule_of(path))

    if verdict.record.form == "text" and by_text != "part":
        assert accepts_text(verdict) == (by_text != "yes")


@each_broken
def test_schema_rejects_what_its_table_says(path: Path) -> None:
    _, by_json = decides(rule_of(path))
    try:
        value = object_of(verdicts(path)[0].record)
    except (AgnError, ValueError):
        assert by_json != "no"
        return

    if by_json != "part":
        assert schema().is_valid(value) == (by_json != "yes")


@each("rule", sorted(rule for rule, by in decisions().items() if "part" in by))
def test_partly_decided_rule_has_records_that_are_rejected(rule: str) -> None:
    broken = [verdicts(path)[0] for path in records("broken") if rule_of(path) == rule]
    by_text, by_json = decides(rule)

    if by_text == "part":
        assert not all(map(accepts_text, broken))
    if by_json == "part":
        assert not all(passes_as_json(verdict.record) for verdict in broken)


def passes_as_json(record: Record) -> bool:
    try:
        return bool(schema().is_valid(object_of(record)))
    except (AgnError, ValueError):
        return False


def spoilt(seed: int) -> Iterator[Verdict]:
    """Yield verdicts on records with one changed character."""
    random = Random(seed)
    signs = 'NESWRYOB0123456789abcdefghk*#|.,:@~>x-+/=?{};()[]"\\ \t\n\x00éQG_'
    for ruleset in RULESETS:
        text = min((replay.text() for replay in recorded(ruleset)), key=len)
        for _ in range(25):
            at, width = random.randrange(len(text)), random.choice((0, 1, 1, 2))
            changed = text[:at] + random.choice(signs) + text[at + width :]
            yield from verify_bytes(changed.encode())


@each("seed", range(4))
def test_grammar_rejects_only_broken_records_and_all_that_its_table_lists(seed: int) -> None:
    decisive = 0
    for verdict in spoilt(seed):
        passed = accepts_text(verdict)
        assert passed or verdict.verdict == REJECTED
        if verdict.fault and decides(verdict.fault.rule)[0] == "yes":
            decisive += 1
            assert not passed, verdict.fault

    assert decisive > 5


# Tokens


@each_game
def test_engine_grammar_and_schema_accept_the_same_actions(ruleset: AnyRuleset) -> None:
    tokens = {token for replay in recorded(ruleset) for token in replay.actions}
    own = sorted(token for token in tokens if not token.startswith(("resign", "timeout", "draw")))
    items = Draft202012Validator(json_schema()["$defs"][ruleset.game]["properties"]["actions"]["items"])

    for token in own[:2_000]:
        assert grammar_of(ruleset).matches("action", token)
        assert items.is_valid(token)
    for token in mutated_tokens(own):
        matched = grammar_of(ruleset).matches("action", token)
        assert items.is_valid(token) == matched or token == "draw"
        assert matched == is_action(ruleset, token)


def mutated_tokens(tokens: list[str]) -> Iterator[str]:
    """Yield tokens with one character replaced, deleted or added."""
    random, signs = Random(7), "".join(sorted({sign for token in tokens for sign in token}))
    for _ in range(3_000):
        token = random.choice(tokens)
        at, width = random.randrange(len(token)), random.choice((0, 1, 1))
        if spoilt := token[:at] + random.choice(signs) * random.choice((0, 1, 1)) + token[at + width :]:
            yield spoilt


def is_action(ruleset: AnyRuleset, token: str) -> bool:
    """Return whether the engine accepts a token as an action, or rejects it only for comparing two cells."""
    try:
        ruleset.parse_action(token)
    except MoveSyntaxError as error:
        spellings = ("the same cell", "not name a run", "names one card alone", "two cells in order")
        return any(words in str(error) for words in spellings)
    return True


# Limits, in JSON


@each(
    ("key", "value"),
    [
        ("tags", {f"T{number}": "" for number in range(65)}),
        ("tags", {"Site": "x" * 256}),
        ("tags", {"Setup": "x" * 2_001}),
        ("tags", {"1st": "no name"}),
        ("tags", {"Site": "two\nlines"}),
        ("tags", {"Site": "a bell \a"}),
        ("actions", ["/"] * 5_001),
        ("actions", ["x" * 65]),
        ("actions", [""]),
        ("comments", {"01": "no ply"}),
    ],
)
def test_record_beyond_a_format_limit_is_rejected(key: str, value: Any) -> None:
    record = as_json()
    changed = {**record, key: {**record[key], **value} if key == "tags" else value}
    (verdict,) = verify_bytes(json.dumps(changed).encode())

    assert schema().is_valid(record)
    assert not schema().is_valid(changed)
    assert verdict.verdict == REJECTED
