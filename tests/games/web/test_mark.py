"""The mark."""

from pathlib import Path

from engine.scene import mark

MARK = Path(__file__).parents[3] / "games" / "static" / "games" / "mark.svg"


def test_it_is_the_ant_that_the_boards_show() -> None:
    assert MARK.read_text() == mark() + "\n", f"write it anew: {MARK}"
