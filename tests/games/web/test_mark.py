"""The mark."""

from pathlib import Path

from engine.scene import mark

MARK = Path(__file__).parents[3] / "games" / "static" / "games" / "mark.svg"


def test_logo_file_matches_the_drawn_ant() -> None:
    assert MARK.read_text() == mark() + "\n", f"write it anew: {MARK}"
