"""What users see of a rejected game: the line with a caret under the fault, whatever the line contains."""

import json

import pytest

from engine.agn.log import MAX_TEXT
from engine.quoting import printable
from engine.report import in_colour, of_verdict, plain, summary
from tests.engine.agn.records import as_json, verdict_on, written


def shown(text: str | bytes) -> list[str]:
    """Return the source line and the carets below it, for a record with a fault."""
    lines = of_verdict("x.agn", verdict_on(text), plain).splitlines()
    return lines[2:4] if len(lines) > 3 and " | " in lines[2] else []


def test_caret_is_placed_under_the_token() -> None:
    assert shown(written("1. NESW@0,2 nonsense R1:N")) == [
        "    10 | 1. NESW@0,2 nonsense R1:N",
        "       |             ^^^^^^^^",
    ]


def test_a_tab_takes_one_column() -> None:
    assert shown(written("\t1.\tNESW@0,2\t\tnonsense")) == [
        "    10 |  1. NESW@0,2  nonsense",
        "       |               ^^^^^^^^",
    ]


def test_wide_character_takes_two_columns_and_an_accent_none() -> None:
    assert shown(written("NESW@0,2 {蟻の巣 e\u0301} 蟻蟻")) == [
        "    10 | NESW@0,2 {蟻の巣 e\u0301} 蟻蟻",
        "       |                     ^^^^",
    ]


def test_control_and_invisible_characters_are_replaced() -> None:
    assert shown(written("NESW@0,2 {\u202e\x7f\u200b} nonsense")) == [
        "    10 | NESW@0,2 {���} nonsense",
        "       |                ^^^^^^^^",
    ]
    assert shown(written("NESW@0,2 \x1b[31m"))[0] == "    10 | NESW@0,2 �[31m"
    assert printable("a\nb\x1bc") == "a�b�c"


def test_invalid_byte_is_replaced() -> None:
    assert shown(written("NESW@0,2 {ä X}").encode().replace(b"X", b"\xff")) == [
        "    10 | NESW@0,2 {ä �}",
        "       |             ^",
    ]


def test_a_long_line_is_cut_around_the_fault() -> None:
    line, carets = shown(written("NESW@0,2 " + "{so} " * 300 + "nonsense" + " {and so on}" * 300))

    assert line.startswith("    10 | … ")
    assert line.endswith(" …")
    assert len(line) < 120
    assert line[carets.index("^") : carets.rindex("^") + 1] == "nonsense"


def test_long_line_is_shown_up_to_its_end_when_the_fault_is_last() -> None:
    line, carets = shown(written("NESW@0,2 " + "{so} " * 300 + "nonsense"))

    assert line.endswith(" nonsense")
    assert carets.endswith("^^^^^^^^")


def test_faulty_tag_is_underlined_completely() -> None:
    assert shown(written(Yellow="Ada")) == ['    5 | [Yellow "Ada"]', "      | ^^^^^^^^^^^^^^"]


def test_line_number_is_counted_from_the_start_of_the_file() -> None:
    assert shown("\n\n\n" + written("nonsense"))[0] == "    13 | nonsense"


def test_missing_result_has_a_caret_where_it_is_expected() -> None:
    assert shown(written("NESW@0,2", "").replace('""', '"*"')) == ["    10 | NESW@0,2", "       |         ^"]


def test_crlf_is_not_shown() -> None:
    assert shown(written("nonsense").replace("\n", "\r\n"))[0] == "    10 | nonsense"


def test_fault_in_json_shows_the_action() -> None:
    lines = of_verdict("x.json", verdict_on(json.dumps(as_json(actions=["NESW@0,2", "nonsense"]))), plain).splitlines()

    assert lines[1:3] == [
        "    x.json:1:1: AGN-MOVE-1: 'nonsense' is not an action of Atta Ants.",
        "    At ply 1: nonsense",
    ]


def test_invalid_json_shows_no_line() -> None:
    assert len(of_verdict("x.json", verdict_on("{"), plain).splitlines()) == 2


def test_overlong_text_is_not_shown() -> None:
    lines = of_verdict("x.agn", verdict_on(f"{written()}{{{'x' * MAX_TEXT}}}"), plain).splitlines()

    assert lines[1].endswith(": AGN-FILE-2: This game’s text is too long: at most 262144 bytes are allowed.")
    assert len("".join(lines)) < 400


def test_the_board_is_drawn_as_it_was_before_the_fault() -> None:
    lines = of_verdict("x.agn", verdict_on(written("NESW@0,2 R1:N nonsense")), plain).splitlines()

    assert "    R: R1 0,1  R2 0,0  (0 eaten)" in lines


def test_control_characters_in_names_are_replaced() -> None:
    text = written("1. NESW@0,2 resign:Y", "2-1", Seats="Y R", Yellow="B\u202eruno\u2066")

    assert "2. B�runo� (yellow)" in of_verdict("x.agn", verdict_on(text), plain)


def test_characters_that_the_script_of_a_name_needs_are_kept() -> None:
    text = written("1. NESW@0,2 resign:Y", "2-1", Seats="Y R", Yellow="\u0639\u0644\u06cc\u200c\u0631\u0636\u0627")

    assert "2. \u0639\u0644\u06cc\u200c\u0631\u0636\u0627 (yellow)" in of_verdict("x.agn", verdict_on(text), plain)


@pytest.mark.parametrize(
    ("counts", "unread", "sentence"),
    [
        ({}, 0, "0 games.\n"),
        ({"verified": 1}, 0, "1 game: 1 verified.\n"),
        ({"rejected": 2, "verified": 1, "unfinished": 3}, 0, "6 games: 1 verified, 3 unfinished, 2 rejected.\n"),
        ({}, 2, "0 games; 2 files could not be read.\n"),
    ],
)
def test_summary_counts_games_and_unreadable_files(counts: dict[str, int], unread: int, sentence: str) -> None:
    assert summary(counts, unread, plain) == sentence


def test_text_is_wrapped_in_colour_codes() -> None:
    assert in_colour("x", "green") == "\x1b[32mx\x1b[0m"


def test_names_are_listed_in_order_of_places() -> None:
    text = written("1. resign:R resign:Y", "3-2-1", Seats="R Y O", Orange="Chloé")

    assert of_verdict("x.agn", verdict_on(text), plain) == (
        "✓ verified   x.agn, game 1: 1. Chloé (orange), 2. Bruno (yellow), 3. Ada (red) · 2 actions · "
        "Yellow resigned, and only Orange is left.\n"
    )
