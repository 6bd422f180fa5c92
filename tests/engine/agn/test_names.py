"""What makes two names the same."""

import pytest

from engine.agn.log import Record
from engine.agn.names import name_key, site_of
from engine.summary import summarize
from engine.verify import verify
from tests.factories import record

SAME = [
    ("Jos\u00e9", "Jose\u0301"),
    ("\ud55c\uae00", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
    ("Nguy\u1ec5n", "Nguye\u0302\u0303n"),
    ("Ti\u1ebfng Vi\u1ec7t", "Tie\u0302\u0301ng Vie\u0323\u0302t"),
    ("\u00c5se", "\u212bse"),
    ("Ada B", "Ada\u00a0B"),
    ("Ada B", "Ada\u2009B"),
    ("\u87fb \u87fb", "\u87fb\u3000\u87fb"),
    ("Ada B", "Ada  B"),
    ("Ada B", "\u00a0Ada\t\u2028B "),
]
DIFFERENT = [
    ("Ada", "ada"), ("Ada", "\uff21da"), ("fi", "\ufb01"), ("5\u00b5", "5\u03bc"), ("Ada", "\u0410da"),
    ("Jose", "Jos\u00e9"), ("AdaB", "Ada B"), ("O'Brien", "O\u2019Brien"), ("\u0627\u0628", "\u0627\u200c\u0628"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_name_typed_in_two_ways_has_one_key(one: str, other: str) -> None:
    assert name_key(other) == name_key(one) == one


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_only_look_alike_stay_apart(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_a_record_keeps_its_bytes_and_is_read_by_the_keys() -> None:
    typed = record(names=("Zoe\u0308  B", "Bruno"), Site=" The\u00a0nest ")
    found = verify(Record(game=1, line=1, form="text", data=typed))
    assert found.text is not None
    assert found.replay is not None
    assert "Zoe\u0308  B" in found.text
    assert (found.replay.names["R"], found.replay.site) == ("Zo\u00eb B", "The nest")
    summary = summarize(found.text)
    assert (summary.names[0], summary.source) == ("Zo\u00eb B", "The nest")


def test_a_site_is_as_long_as_a_tag_at_most() -> None:
    assert site_of({"Site": "\u0958" * 254}) == "\u0915\u093c" * 127 + "\u0915"
    assert site_of({"Site": "\u0958" * 127 + " \u0958"}) == "\u0915\u093c" * 127
    assert site_of({}) == ""
