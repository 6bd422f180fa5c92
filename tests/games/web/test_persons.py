"""Pictures of players."""

from pathlib import Path

import pytest

from engine.scene.persons import PATTERNS, persons
from games.web.persons import initial, person

FILE = Path(__file__).parents[3] / "games" / "static" / "games" / "persons.svg"


def test_file_of_pictures_matches_the_drawn_ants() -> None:
    assert FILE.read_text() == persons() + "\n", f"write it anew: {FILE}"


def test_a_player_has_the_same_picture_everywhere_and_players_differ() -> None:
    assert person(7, "Ada") == person(7, "Ada")
    assert len({person(number, "Ada") for number in range(40)}) > 20
    assert {pattern for pattern in PATTERNS for number in range(99) if f"#{pattern}" in person(number, "A")} == {
        *PATTERNS
    }


@pytest.mark.parametrize(
    ("name", "letter"),
    [("ada", "A"), ("  émile", "É"), ("<b>", "B"), ("“Zoë”", "Z"), ("⟨…⟩", ""), ("ßen", "S"), ("蟻", "蟻")],
)
def test_the_initial_is_the_first_letter_of_the_name(name: str, letter: str) -> None:
    assert initial(name) == letter


def test_a_picture_is_decorative_and_holds_no_markup_of_a_name() -> None:
    assert 'data-initial="S"' in person(1, "<script>")
    assert 'aria-hidden="true"' in person(1, "Ada")
