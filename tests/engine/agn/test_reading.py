"""A text record is split into tokens, or gets a fault with its position (AGN-FILE-1, AGN-FILE-2, AGN-MOVE-1 to 4)."""

import pytest

from engine.agn.cut import cut
from engine.agn.reading import parse
from engine.verify import UNFINISHED, verify_bytes
from tests.engine.agn.records import (
    ACTIONS,
    MOVES,
    TAGS,
    comments_of,
    fault_in,
    not_over,
    rule_and_place,
    verdict_on,
    written,
)
from tests.engine.agn.streams import Generated


def tokens(moves: str) -> tuple[str, ...]:
    (record,) = cut(Generated(written(moves, "").encode().splitlines(keepends=True)))
    return parse(record).tokens


# Tokens


@pytest.mark.parametrize(
    ("moves", "read"),
    [
        ("a b", ("a", "b")),
        (" a\t\tb \n c", ("a", "b", "c")),
        ("a{x}b", ("a", "b")),
        ("a;x y\nb", ("a", "b")),
        ("a{;}b;{\nc", ("a", "b", "c")),
        ("a}b", ("a}b",)),
        ("a\u00a0b\u2003c", ("a\u00a0b\u2003c",)),
        ("1.a 2 .", ("1.a", "2", ".")),
    ],
)
def test_white_space_comments_and_brackets_end_a_token(moves: str, read: tuple[str, ...]) -> None:
    assert tokens(moves) == read


def test_record_that_ends_after_its_tags_lacks_a_result() -> None:
    text = written().partition("\n\n")[0]

    assert rule_and_place(fault_in(text)) == (
        "AGN-RESULT-1",
        8,
        1,
        f"The result is missing; it should be *. {not_over(15)}",
    )


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        ("pass", "'pass' is not an action of Atta Ants."),
        ("R1", "'R1' is not an action of Atta Ants."),
        ("//", "'//' is not an action of Atta Ants."),
        ("1", "'1' is not an action of Atta Ants. A number has a dot after it: 1."),
        ("}", "'}' is not an action of Atta Ants."),
        ("[Event", "'[Event' is not an action of Atta Ants."),
        ("draw:R", "'draw:R' is not an action of Atta Ants."),
        ("R1:n", "'R1:n' is not an action of Atta Ants."),
        ("R1:NSE", "'R1:NSE' has more than two steps; an ant takes two at most."),
    ],
)
def test_unknown_token_is_rejected(token: str, sentence: str) -> None:
    fault = fault_in(written(f"NESW@0,2 {token}"))

    assert rule_and_place(fault) == ("AGN-MOVE-1", 10, 10, sentence)
    assert (fault.ply, fault.token) == (1, token)


def test_columns_count_characters_and_not_bytes() -> None:
    fault = fault_in(written("NESW@0,2 {äöü 蟻} nonsense"))

    assert (fault.line, fault.column, fault.token) == (10, 18, "nonsense")


def test_fault_lines_are_counted_from_the_start_of_the_file() -> None:
    first, second = verify_bytes(f"\n\n{written()}\n\r\n{written('nonsense')}".encode())

    assert first.fault is None
    assert second.fault is not None
    assert second.fault.line == 2 + 11 + 2 + 10


def test_fault_lists_the_legal_actions() -> None:
    fault = fault_in(written("NESW@0,2 R1:N R2:N / Y1:N Y2:E Y1:S"))

    assert fault.legal == ("/",)
    assert fault_in(written("NESW@0,2 R1:N R2:N / 9.")).legal is None


def test_replay_ends_before_the_fault() -> None:
    replay = verdict_on(written("NESW@0,2 R1:N nonsense R2:E")).replay

    assert replay is not None
    assert replay.actions == ("NESW@0,2", "R1:N")
    assert len(replay.states) == 3


# Numbers


@pytest.mark.parametrize("moves", [MOVES, " ".join(ACTIONS), " 1. ".join(ACTIONS), f"1. 1. {MOVES} 2."])
def test_move_numbers_are_optional_and_may_be_repeated(moves: str) -> None:
    assert verdict_on(written(moves)).verdict == UNFINISHED


@pytest.mark.parametrize("number", ["0.", "2.", "01.", "99999999999999999999."])
def test_a_wrong_number_is_refused(number: str) -> None:
    fault = fault_in(written(f"{number} {MOVES}"))

    assert rule_and_place(fault) == ("AGN-MOVE-2", 10, 1, f"Expected move number 1, found '{number}'.")
    assert (fault.ply, fault.token) == (0, number)


def test_move_number_after_the_end_is_rejected() -> None:
    fault = fault_in(written("1. draw 1.", "1-1"))

    assert rule_and_place(fault) == ("AGN-MOVE-2", 10, 9, "The game is over: expected the result, found '1.'.")


# Comments


def test_comments_stay_with_the_action_before_them() -> None:
    moves = MOVES.replace("R1:N", "{first} R1:N {second}").replace("S1:E", "S1:E ; last")

    assert comments_of(written(f"{{opening}} {moves}")) == {-1: "opening", 0: "first", 1: "second", 7: "last"}


def test_a_comment_after_the_result_belongs_to_the_last_action() -> None:
    assert comments_of(written() + "{a} ; b") == {7: "a b"}
    assert comments_of(written("") + "{a}") == {-1: "a"}


def test_comment_after_a_move_number_belongs_to_the_preceding_action() -> None:
    assert comments_of(written(MOVES + " 2. {so far}")) == {7: "so far"}


def test_comments_are_kept_in_one_line() -> None:
    assert comments_of(written(MOVES + "{ a\n b\t\tc } ;d } e\n{}{ }")) == {7: "a b c d ) e"}


def test_empty_comments_are_dropped() -> None:
    assert comments_of(written(MOVES + "{} ; \n{\n}")) == {}


def test_a_comment_ends_at_the_first_brace() -> None:
    assert rule_and_place(fault_in(written("{a {b} c}")))[3] == "'c}' is not an action of Atta Ants."


def test_unclosed_comment_is_reported_where_it_begins() -> None:
    fault = fault_in(written("NESW@0,2 R1:N {and then R2:E"))

    assert rule_and_place(fault) == ("AGN-MOVE-3", 10, 15, "This comment is never closed.")
    assert (fault.ply, fault.token) == (2, "{")


@pytest.mark.parametrize("bracket", ["(", ")"])
def test_variations_are_refused(bracket: str) -> None:
    fault = fault_in(written(f"NESW@0,2{bracket}R1:N"))

    refusal = "Variations in parentheses are not supported in version 1: only studies have them."
    assert rule_and_place(fault) == ("AGN-MOVE-3", 10, 9, refusal)


def test_earlier_fault_is_reported_before_a_later_syntax_fault() -> None:
    assert fault_in(written("NESW@0,1 (")).rule == "ATTA-PLACE-2"


# The end


def test_action_after_the_end_of_the_game_is_rejected() -> None:
    fault = fault_in(written("NESW@0,2 draw R1:N", "1-1"))

    assert rule_and_place(fault) == ("AGN-MOVE-4", 10, 15, "The game already ended with the previous action.")
    assert fault.legal is None


@pytest.mark.parametrize("token", ["resign:R", "draw"])
def test_resignation_or_draw_after_the_end_is_rejected(token: str) -> None:
    assert rule_and_place(fault_in(written(f"draw {token}", "1-1")))[0] == "AGN-MOVE-4"


def test_token_after_the_result_is_rejected() -> None:
    fault = fault_in(written() + "R1:N")

    assert rule_and_place(fault) == ("AGN-MOVE-4", 12, 1, "Nothing may follow the result, found 'R1:N'.")
    assert rule_and_place(fault_in(written() + "*"))[0] == "AGN-MOVE-4"


# Bytes


@pytest.mark.parametrize(
    ("byte", "sentence"),
    [
        (b"\xff", "Byte 0xff is not valid UTF-8."),
        (b"\xe4", "Byte 0xe4 is not valid UTF-8."),
        (b"\xed\xa0\x80", "Byte 0xed is not valid UTF-8."),
        (b"\xc0\x80", "Byte 0xc0 is not valid UTF-8."),
        (b"\x00", "Control character U+0000 is not allowed; only tabs and line ends are."),
        (b"\x0b", "Control character U+000B is not allowed; only tabs and line ends are."),
        (b"\x1b", "Control character U+001B is not allowed; only tabs and line ends are."),
        (b"\r", "This line ends with a CR alone (U+000D), as on old Macs; lines end with LF or CRLF."),
    ],
)
def test_invalid_utf8_is_rejected(byte: bytes, sentence: str) -> None:
    text = written("NESW@0,2 {ä X}").encode().replace(b"X", byte)

    assert rule_and_place(fault_in(text)) == ("AGN-FILE-1", 10, 13, sentence)


def test_lines_may_end_in_crlf_and_be_counted_the_same() -> None:
    text = written("NESW@0,2\nnonsense").replace("\n", "\r\n")

    assert (fault_in(text).line, fault_in(text).column) == (11, 1)


def test_invalid_byte_does_not_hide_the_next_game() -> None:
    first, second = verify_bytes(written(Red="Zoë").encode("latin-1") + b"\n" + written().encode())

    assert first.fault is not None
    assert first.fault.rule == "AGN-FILE-1"
    assert second.verdict == UNFINISHED


# Limits


def test_a_token_of_64_characters_is_read() -> None:
    token = "R1:" + "+" * 61

    assert rule_and_place(fault_in(written(f"NESW@0,2 {token}")))[0] == "ATTA-LEAF-2"


@pytest.mark.parametrize("separator", [" ", " {x} "])
def test_a_token_of_65_characters_is_refused(separator: str) -> None:
    fault = fault_in(written(f"NESW@0,2{separator}R1:{'+' * 62}"))

    assert rule_and_place(fault) == (
        "AGN-FILE-2",
        10,
        9 + len(separator),
        "This token is too long: at most 64 characters are allowed.",
    )


def test_tags_may_have_their_maximum_length() -> None:
    assert verdict_on(written(Event="x" * 255, Setup=TAGS["Setup"])).verdict == UNFINISHED
