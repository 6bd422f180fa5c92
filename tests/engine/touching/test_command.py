"""`atta touches`: the possible actions at a position, as text and as JSON."""

import json
from pathlib import Path

import pytest

from engine.__main__ import main
from tests.engine.agn.records import written


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.agn"
    path.write_text(written("1. NESW@0,2 R1:N"))
    return str(path)


def test_touches_lists_legal_actions_with_their_captions(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["touches", "-q", record]) == 0

    assert "R2:E\tR2 walks east." in capsys.readouterr().out.splitlines()


def test_touches_prints_the_requested_position_as_json(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["touches", "-q", "--json", "--ply", "0", "--drawn", "SW*", record]) == 0

    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["ply"], found["turn"]) == (1, 0, "R")
    assert {node["t"][:6] for node in found["tree"]} == {"place:"}
