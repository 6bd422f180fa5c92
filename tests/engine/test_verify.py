"""Whatever is uploaded, verification answers: it never fails, and its output can be displayed."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.report import of_verdict, plain
from engine.verify import REJECTED, UNFINISHED, VERIFIED, Verdict, verify_bytes
from engine.words import words
from tests.engine.agn.records import as_json, fault_in, gave_up, not_over, rule_and_place, verdict_on, written
from tests.golden import KINDS, records

MATERIAL = [path.read_bytes() for kind in KINDS for path in records(kind)]
PIECES = [b"", b"\n\n", b"\r", b"\x00", b"\xff", b"\xed\xa0\x80", b"{", b"}", b"(", b";", b'"', b"\\", b"[", b"]", b"*",
          b"1-2", b"2.", b"@", b"S1:N", b"R1:N", b"/", b"draw", b"resign:R", b"\xef\xbb\xbf", b"\\ud800", b"null",
          b"1e999", b" " * 70, b"x" * 70, "蟻".encode()]  # fmt: skip


def damaged(data: bytes, random: Random) -> bytes:
    """Return a file with some bytes deleted, doubled, moved or replaced by something nasty."""
    for _ in range(random.randint(1, 4)):
        begin = random.randrange(len(data) + 1)
        end = min(len(data), begin + random.choice((0, 1, 1, 5, 40)))
        piece = random.choice((*PIECES, data[begin:end] * 2, random.choice(MATERIAL)[:200]))
        data = data[:begin] + piece + data[end:]
    return data


def check(verdict: Verdict, data: bytes) -> None:
    """Assert what holds for every verdict."""
    row = verdict.as_json()
    json.dumps(row, ensure_ascii=False).encode()
    of_verdict("x.agn", verdict, plain).encode()
    assert (verdict.verdict == REJECTED) == (verdict.fault is not None) == (row["rule"] is not None)
    assert (verdict.verdict == VERIFIED) == (row["placements"] is not None)
    if verdict.fault:
        assert 1 <= verdict.fault.line <= data.count(b"\n") + 1
        assert verdict.fault.column >= 1
        assert len(verdict.fault.message) < 2_500
        assert row["digest"] is row["record_digest"] is row["likeness"] is row["plies"] is None
    else:
        assert verdict.text is not None
        assert verdict_on(verdict.text).text == verdict.text


@pytest.mark.parametrize("seed", range(20))
def test_damaged_file_always_gets_a_verdict(seed: int) -> None:
    random = Random(seed)

    for _ in range(100):
        data = damaged(random.choice(MATERIAL), random)
        for verdict in verify_bytes(data):
            check(verdict, data)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_always_get_a_verdict(data: bytes) -> None:
    for verdict in verify_bytes(data):
        check(verdict, data)


@given(st.text(max_size=200))
def test_arbitrary_movetext_always_gets_a_verdict(moves: str) -> None:
    data = written(moves.encode(errors="replace").decode()).encode()

    for verdict in verify_bytes(data):
        check(verdict, data)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["format", "tags", "actions", "comments", "result", "more"]), _JSON)
def test_arbitrary_json_value_always_gets_a_verdict(key: str, value: object) -> None:
    data = json.dumps({**as_json(), key: value}).encode()

    for verdict in verify_bytes(data):
        check(verdict, data)


def test_verdict_includes_record_outcome_and_ruleset() -> None:
    verdict = verdict_on(written("1. NESW@0,2 resign:R", "2-1"))

    assert (verdict.verdict, verdict.plies, verdict.record.form) == (VERIFIED, 2, "text")
    assert verdict.outcome is not None
    assert str(verdict.outcome.reason) == "Red resigned."
    assert verdict.ruleset is not None
    assert verdict.ruleset.slug == "atta-ants-online"


def test_ruleset_is_known_when_other_tags_are_invalid() -> None:
    assert verdict_on(written(Rules="none")).ruleset is None
    by_tags = verdict_on(written(Seats="R"))
    assert by_tags.ruleset is not None
    assert by_tags.replay is None


def test_the_result_is_judged_last() -> None:
    assert verdict_on(written("1. NESW@0,2")).verdict == UNFINISHED
    assert rule_and_place(fault_in(written("1. NESW@0,2", "1-2"))) == (
        "AGN-RESULT-2",
        11,
        1,
        f"Expected result *, found 1-2. {not_over()}{gave_up('Yellow')}",
    )


def test_fault_keeps_its_template_and_parameters_separate() -> None:
    fault = fault_in(written("1. NESW@0,2 Y1:N"))

    assert fault.template == "It is {colony}’s turn; {ant} is a yellow ant."
    assert fault.params == {"ant": "Y1", "colony": words("Red")}
