"""The guard that compares the engine with that of another commit."""

from pathlib import Path

import pytest

from bench import against
from bench.against import HERE, Task, Tree, row, slower

FILE = HERE / "fixtures" / "army_ants" / "games" / "hermits.agn"


def test_only_what_takes_a_tenth_longer_is_named() -> None:
    times = {"faster": [(2.0, 1.0)], "alike": [(1.0, 1.09)], "slower": [(1.0, 1.2), (2.0, 2.3), (1.0, 0.5)]}
    assert slower(times) == ["slower"]


def test_a_line_says_what_a_game_takes_and_how_much_faster_that_is() -> None:
    line = row(Task("army-ants", "verify", FILE, 10), [(0.002, 0.001), (0.004, 0.002)])
    assert line.split() == ["army-ants", "300.0", "150.0", "2.00", "times", "as", "fast"]


@pytest.mark.full
def test_the_engine_of_a_folder_is_measured_in_a_process_of_its_own() -> None:
    with Tree(HERE) as one, Tree(HERE) as other:
        assert one.ask("verdicts", FILE) == other.ask("verdicts", FILE)
        assert one.ask("verify", FILE) > 0 < one.ask("states", FILE)


def test_an_unknown_commit_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(against, "KEPT", tmp_path)
    with pytest.raises(SystemExit, match=r"There is no commit 'nowhere' here\."):
        against.checkout("nowhere")
