"""`atta story`: the events of a record, as text and as JSON."""

import json
from pathlib import Path

import pytest

from engine.__main__ import main
from tests.strategies import FIXTURES

GAME = str(FIXTURES / "atta_ants/games/written-by-hand.agn")


def test_story_lists_events_below_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["story", "-q", GAME]) == 0

    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.endswith("game 1: Chloé led from round 1 on. Ada lost 2 ants in round 1.")
    assert second == "1.\tR\tR2 picks up a leaf."


def test_story_prints_one_json_object_per_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["story", "-q", "--json", GAME]) == 0

    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["game"], second["game"]) == (1, 2)
    assert first["figures"]["R"]["eaten"] == [[0, 0], [10, 2]]
    assert first["events"][0] == {"ply": 2, "number": 1, "kind": "leaf", "seat": "R", "count": 1,
                                  "sentence": "R2 picks up a leaf."}  # fmt: skip


def test_story_of_a_rejected_record_ends_before_its_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = FIXTURES / "atta_ants/broken/ATTA-MOVE-3-no-trail-around-the-corner.agn"
    assert main(["story", "--json", str(broken)]) == 1
    assert json.loads(capsys.readouterr().out)["last"] < 10
