"""A line is quoted whole, or the part around its fault, and split around what is at fault."""

import pytest

from engine.quoting import Quote, quote, shortened


def of(line: str, column: int, token: str | None = None) -> Quote:
    return quote(line, column, token, most=10, lead=3)


def test_a_short_line_is_split_around_the_token() -> None:
    assert of("a bad end", 3, "bad") == Quote("a ", "bad", " end")


@pytest.mark.parametrize(
    ("column", "quoted"),
    [(1, Quote("", "0", "123456789 …")), (10, Quote("… 678", "9", "abcdef …")), (20, Quote("… abcdefghi", "j", ""))],
)
def test_of_a_long_line_the_part_around_the_fault_is_quoted(column: int, quoted: Quote) -> None:
    assert of("0123456789abcdefghij", column) == quoted


def test_a_token_longer_than_the_part_is_cut() -> None:
    assert of("x" * 30, 11, "x" * 20) == Quote("… xxx", "x" * 7, " …")


def test_the_rest_of_a_faulty_tag_is_at_fault_and_nothing_at_the_end_of_a_line() -> None:
    assert of('[A "b"] ', 4) == Quote("[A ", '"b"]', " ")
    assert of("a b", 4) == Quote("a b", "", "")


def test_the_beginning_of_another_line_is_safe_to_print() -> None:
    assert (shortened("a\tb\x1b", 4), shortened("abcde", 4)) == ("a b\ufffd", "abcd …")
