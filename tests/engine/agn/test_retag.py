"""Replacing tag values changes nothing else, and the game stays the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agn.retag import retag
from engine.verify import verify_bytes
from tests.factories import record

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=60)


def test_only_the_value_changes() -> None:
    data = b'[Red  "Ada"]\r\n[Red "Ada"] \r\n[Event "[Red \\"Ada\\"]"]\r\n\r\n1. [Red "Ada"] {Ada}\r\n'
    assert retag(data, "text", {"Red": 'A "B" \\', "Yellow": "C"}) == data.replace(
        b'[Red "Ada"] \r', b'[Red "A \\"B\\" \\\\"] \r'
    )


def test_retagging_keeps_invalid_bytes() -> None:
    assert retag(b'[Red "Ada"]\n[Event "\xff"]\n', "text", {"Red": "X"}) == b'[Red "X"]\n[Event "\xff"]\n'


@given(name=NAMES.filter(lambda name: name == name.strip() and name != "Bruno"))
def test_retagged_text_record_differs_only_in_the_tag(name: str) -> None:
    (before,) = verify_bytes(record("{Ada} resign:R 2-1"))
    (after,) = verify_bytes(retag(record("{Ada} resign:R 2-1"), "text", {"Red": name}))
    assert after.replay is not None
    assert before.replay is not None
    assert after.replay.tags == {**before.replay.tags, "Red": name}
    assert (after.digest, after.replay.comments) == (before.digest, before.replay.comments)


@pytest.mark.parametrize("name", ["Bo", 'A "quoted" \\ name', "李"])
def test_retagged_json_record_differs_only_in_the_tag(name: str) -> None:
    (read,) = verify_bytes(record())
    assert read.replay is not None
    data = json.dumps(read.replay.as_json()).encode()
    (after,) = verify_bytes(retag(data, "json", {"Red": name}))
    assert after.replay is not None
    assert after.replay.tags == {**read.replay.tags, "Red": name}
