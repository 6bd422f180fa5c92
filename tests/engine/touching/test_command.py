"""`atta touches`: what may be done at a position, for people and for programs."""

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


def test_it_lists_what_is_legal_with_what_it_would_do(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["touches", "-q", record]) == 0

    assert "R2:E\tR2 walks east." in capsys.readouterr().out.splitlines()


def test_for_programs_it_prints_the_position_that_is_asked_for(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["touches", "-q", "--json", "--ply", "0", "--drawn", "SW*", record]) == 0

    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["ply"], found["turn"]) == (1, 0, "R")
    assert {node["t"][:6] for node in found["tree"]} == {"place:"}
