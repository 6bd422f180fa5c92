"""Files are cut into records before anything else is read (AGN-FILE-3, AGN-JSON-1)."""

import io
import tracemalloc
from collections.abc import Iterator
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agn import cut as cutting
from engine.agn.cut import cut
from engine.agn.log import MAX_TEXT, Record
from engine.verify import REJECTED, verify_file
from tests.engine.agn.streams import Generated
from tests.tiers import by_tier

LENGTH = by_tier(quick=1, long=5)
"""How many times 40 MiB a long file has."""


def records(data: bytes) -> list[Record]:
    return list(cut(io.BytesIO(data)))


def bodies(data: bytes) -> list[tuple[int, bytes]]:
    return [(record.line, record.data) for record in records(data)]


@pytest.mark.parametrize("data", [b"", b"\n\n", b" \t\r\n\n  ", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_empty_file_contains_no_games(data: bytes) -> None:
    assert records(data) == []


def test_a_game_begins_at_the_first_line_that_is_not_empty() -> None:
    assert bodies(b"\n \t\n[A]\n1.\n") == [(3, b"[A]\n1.")]


def test_a_game_begins_at_a_bracket_after_an_empty_line() -> None:
    assert bodies(b"[A]\n\n1.\n\n[B]\n\n2.\n") == [(1, b"[A]\n\n1."), (5, b"[B]\n\n2.")]


def test_white_space_counts_as_an_empty_line() -> None:
    assert bodies(b"[A]\n \t \n[B]") == [(1, b"[A]"), (3, b"[B]")]


def test_bracket_after_a_line_of_text_does_not_begin_a_game() -> None:
    assert bodies(b"[A]\n[B]\n1.\n[C]\n") == [(1, b"[A]\n[B]\n1.\n[C]")]


def test_indented_bracket_does_not_begin_a_game() -> None:
    assert bodies(b"[A]\n\n [B]\n") == [(1, b"[A]\n\n [B]")]


def test_bracket_inside_an_open_comment_still_begins_a_game() -> None:
    assert bodies(b"[A]\n\n{ open\n\n[B]\n") == [(1, b"[A]\n\n{ open"), (5, b"[B]")]


def test_text_before_the_first_bracket_is_a_game_of_its_own() -> None:
    assert bodies(b"hello\n\n[A]\n") == [(1, b"hello"), (3, b"[A]")]


def test_trailing_empty_lines_are_not_part_of_a_game() -> None:
    assert bodies(b"[A]\n\n1.\n\n \n\t\n") == [(1, b"[A]\n\n1.")]


def test_lines_may_end_in_crlf() -> None:
    assert bodies(b"[A]\r\n\r\n1.\r\n\r\n[B]\r\n") == [(1, b"[A]\r\n\r\n1."), (5, b"[B]")]


def test_lone_cr_does_not_make_an_empty_line() -> None:
    assert bodies(b"[A]\n\r\r\n[B]\n") == [(1, b"[A]\n\r\r\n[B]")]


def test_byte_order_mark_is_not_part_of_a_game() -> None:
    assert bodies(b"\xef\xbb\xbf[A]\n") == [(1, b"[A]")]


def test_byte_order_mark_at_the_start_of_any_line_is_skipped_so_that_joined_files_stay_apart() -> None:
    assert bodies(b"[A]\n\n\xef\xbb\xbf[B]\n\xef\xbb\xbf1-2\n") == [(1, b"[A]"), (3, b"[B]\n1-2")]
    assert bodies(b'\xef\xbb\xbf{"a": 1}\n\xef\xbb\xbf{"b": 2}') == [(1, b'{"a": 1}'), (2, b'{"b": 2}')]


def test_byte_order_mark_elsewhere_is_a_character_like_others() -> None:
    assert bodies(b"[A]\n\n \xef\xbb\xbf[B]\n") == [(1, b"[A]\n\n \xef\xbb\xbf[B]")]
    assert bodies(b"\xef\xbb\xbf\xef\xbb\xbf[A]") == [(1, b"\xef\xbb\xbf[A]")]


def test_games_are_numbered() -> None:
    assert [record.game for record in records(b"[A]\n\n[B]\n\n[C]\n")] == [1, 2, 3]


@given(st.lists(st.sampled_from([b"[A]", b"x", b"", b" ", b"\t", b"{", b"}"]), max_size=12))
def test_every_line_with_text_is_in_exactly_one_game(lines: list[bytes]) -> None:
    text = b"\n".join([b"[", *lines])

    held = [line for record in records(text) for line in record.data.split(b"\n")]

    assert [line for line in held if line.strip()] == [line for line in text.split(b"\n") if line.strip()]


# Limits


def test_a_text_of_exactly_the_limit_fits() -> None:
    (record,) = records(b"[" + b"x" * (MAX_TEXT - 1) + b"\n\n\n")

    assert (record.too_long, len(record.data)) == (False, MAX_TEXT)


def test_text_one_byte_over_the_limit_is_too_long() -> None:
    (record,) = records(b"[" + b"x" * MAX_TEXT + b"\n")

    assert record.too_long


def test_a_line_end_counts_as_one_byte() -> None:
    lines = b"x\r\n" * (MAX_TEXT // 2)

    assert [record.too_long for record in records(lines)] == [False]
    assert [record.too_long for record in records(lines + b"y")] == [True]


def test_empty_lines_at_the_end_do_not_count() -> None:
    assert [record.too_long for record in records(b"[" + b"\n" * MAX_TEXT * 2)] == [False]
    assert [record.too_long for record in records(b"[" + b"\n" * MAX_TEXT + b".")] == [True]


def test_overlong_game_does_not_hide_the_next_one() -> None:
    long = b"[" + b"x" * MAX_TEXT

    assert [(record.line, record.too_long) for record in records(long + b"\n\n[A]\n")] == [(1, True), (3, False)]


def test_overlong_blank_line_still_counts_as_empty() -> None:
    assert [record.line for record in records(b"[A]\n" + b" " * (MAX_TEXT * 3) + b"\n[B]\n")] == [1, 3]
    assert [record.line for record in records(b"[A]\n" + b" " * (MAX_TEXT * 3) + b".\n[B]\n")] == [1]


# Streams


def test_line_of_several_gigabytes_can_be_read() -> None:
    stream = Generated([b"[", *repeat(b"x" * MAX_TEXT, 3 * 4096), b"\n", b"\n", b"[A]\n"])

    long, next_one = cut(stream)

    assert stream.given > 3 * 2**30
    assert (long.line, long.too_long) == (1, True)
    assert (next_one.line, next_one.data) == (3, b"[A]")


def games_of_a_size(count: int, size: int) -> Iterator[bytes]:
    """Yield records of a given size that consist of a comment."""
    line = b"x" * 10_239 + b"\n"
    for _ in range(count):
        yield b'[Game "Atta Ants"]\n'
        yield b"\n"
        yield from repeat(line, size // len(line))
        yield b"\n"


def test_long_file_is_read_in_bounded_memory() -> None:
    stream = Generated(games_of_a_size(count=164 * LENGTH, size=250 * 1024))

    tracemalloc.start()
    verdicts = sum(verdict.verdict == REJECTED for verdict in verify_file(stream))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (verdicts, stream.given > LENGTH * 40 * 2**20) == (164 * LENGTH, True)
    assert peak < 8 * 2**20


def test_each_record_is_yielded_before_the_next_one_is_read() -> None:
    stream = Generated(games_of_a_size(count=1000, size=10 * 1024))

    next(cut(stream))

    assert stream.given < 11 * 1024


# JSON


def forms(data: bytes) -> list[tuple[str, int, bytes]]:
    return [(record.form, record.line, record.data) for record in records(data)]


def test_a_brace_at_the_beginning_makes_it_json() -> None:
    assert forms(b' \n\t{"a": 1}\n') == [("json", 2, b'\t{"a": 1}')]


def test_each_json_line_is_a_separate_game() -> None:
    assert forms(b'{"a": 1}\n\n{"b": 2}\r\n') == [("json", 1, b'{"a": 1}'), ("json", 3, b'{"b": 2}')]


def test_json_object_over_several_lines_is_one_game() -> None:
    data = b'{\n"a": 1,\n\n"b":\n{"c": 2}\n}\n'

    assert forms(data) == [("json", 1, data.rstrip())]


def test_broken_json_line_does_not_hide_the_others() -> None:
    assert [line for _, line, _ in forms(b'{"a": \n{"b": 2}\n{"c"\n{}\n')] == [1, 2, 3, 4]


def test_a_first_line_that_is_an_object_makes_every_line_a_game() -> None:
    assert forms(b'{"a": 1}\n[1]\nx\n') == [("json", 1, b'{"a": 1}'), ("json", 2, b"[1]"), ("json", 3, b"x")]


def test_overlong_json_line_is_an_overlong_game() -> None:
    data = b'{"a": 1}\n{"b": "' + b"x" * MAX_TEXT + b'"}\n{"c": 3}\n'

    assert [(record.line, record.too_long) for record in records(data)] == [(1, False), (2, True), (3, False)]


def test_single_huge_object_is_read_in_bounded_memory() -> None:
    stream = Generated([b"{\n", *repeat(b'"x": "y",\n', 2**17)])

    tracemalloc.start()
    (record,) = cut(stream)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert record.too_long
    assert peak < 8 * 2**20


# Where records begin


def begins_at(data: bytes) -> list[int]:
    return [record.offset for record in records(data)]


def test_a_record_knows_the_byte_at_which_it_begins() -> None:
    data = b"\xef\xbb\xbf\n \r\n[A]\r\n\r\n1.\n\n\n[\xc3\x84]\n\n[C]"
    assert begins_at(data) == [data.index(b"[A]"), data.index(b"[\xc3"), data.index(b"[C]")]


def test_an_object_knows_the_byte_at_which_it_begins() -> None:
    lines = b'\n{"a": 1}\n\n{"b": 2}\r\nx\n'
    assert begins_at(lines) == [1, lines.index(b'{"b"'), lines.index(b"x")]
    assert begins_at(b"\n\n{\n}\n") == [2]


@pytest.mark.parametrize(
    "long", [b"[" + b"x" * MAX_TEXT * 3, b"[" + b"x" * (MAX_TEXT + 1), b"[A]\n" + b" " * MAX_TEXT * 2]
)
def test_overlong_text_lines_count_fully_towards_offsets(long: bytes) -> None:
    data = long + b"\n\n[B]\n\n" + long + b"\n\n[D]\n"
    expected = [0, data.index(b"[B]"), data.rindex(long), data.index(b"[D]")]
    assert begins_at(data) == expected


def test_overlong_json_objects_count_fully_towards_offsets() -> None:
    data = b'{"a":\n{"b": "' + b"x" * MAX_TEXT * 2 + b'"}\n{"c": 3}\n'
    assert begins_at(data) == [0, 6, data.index(b'{"c"')]


@given(st.lists(st.sampled_from([b"[A]", b"x", b"", b" ", b"\t", b"{", b"{}", b"\r"]), max_size=12))
def test_every_record_is_found_at_its_offset_and_line(lines: list[bytes]) -> None:
    text = b"\n".join(lines)
    for record in records(text):
        assert text[record.offset : record.offset + len(record.data)] == record.data
        assert text[: record.offset].count(b"\n") == record.line - 1


PIECES = (
    b"[A]", b"[", b"\n", b"\n\n", b"\n\n\n", b"\n\n[B]\n\n1. x\n1-2\n\n[C]", b"\r\n", b"\r", b" ", b"\t", b"\n \n",
    b"{}\n", b"\xef\xbb\xbf", b"\n\n\xef\xbb\xbf[D]", b"1. x y", b"x" * 700, b"y\n" * 400,
)  # fmt: skip


class Lines:
    """A stream that has lines, but no blocks."""

    def __init__(self, data: bytes) -> None:
        self.readline = io.BytesIO(data).readline


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join), st.sampled_from([b"", b"[A]\n"]))
def test_records_are_the_same_by_blocks_and_by_lines(data: bytes, first: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "_BLOCK", 11)

        assert records(first + data) == list(cut(Lines(first + data)))


class Searched(bytes):
    """Bytes that count how many of them are searched."""

    searched = 0

    def __radd__(self, before: bytes) -> bytes:
        return Searched(bytes(before) + bytes(self))

    def __contains__(self, what: object) -> bool:
        return self.find(what) >= 0  # type: ignore[arg-type]

    def find(self, what: bytes, begin: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        Searched.searched += (len(self) if end is None else end) - begin
        return super().find(what, begin, end)


class Dripping(io.BytesIO):
    """A stream that gives few bytes at a time, as one of many packed pieces does."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return Searched(super().read1(7))


@pytest.mark.skipif(not cutting.__file__.endswith(".py"), reason="compiled code looks into bytes by itself")
def test_a_record_that_comes_in_many_pieces_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Searched, "searched", 0)
    data = b"[A]\n" + b"1. x\n" * 2_000

    assert [record.data for record in cut(Dripping(data))] == [data.rstrip(b"\n")]
    assert len(data) < Searched.searched < 5 * len(data)


class Halves(io.BytesIO):
    """A stream that gives what it holds in two blocks."""

    def __init__(self, data: bytes, border: int) -> None:
        super().__init__(data)
        self.border = border

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self.border - self.tell() if self.tell() < self.border else size)


BLANKS = (b"\n", b"\n\n", b"\n\n\n", b"\n \n", b"\n\t\n\n", b"\r\n\r\n", b"\n\n\xef\xbb\xbf")


@pytest.mark.parametrize("movetext", [b"", b"\n\n1. x [y]\n{z\n[w]}\n1-2\n"])
@pytest.mark.parametrize("second", BLANKS)
@pytest.mark.parametrize("first", BLANKS)
def test_records_are_the_same_wherever_the_border_of_two_blocks_is(
    first: bytes, second: bytes, movetext: bytes
) -> None:
    data = b"[A]\n[B]" + movetext + first + b"[C]" + movetext + second + b"[D]\n"
    expected = list(cut(Lines(data)))

    assert [list(cut(Halves(data, border))) for border in range(1, len(data))] == [expected] * (len(data) - 1)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join))
def test_records_are_the_same_however_few_bytes_come_at_a_time(data: bytes) -> None:
    assert list(cut(Dripping(b"[A]\n" + data))) == list(cut(Lines(b"[A]\n" + data)))


def test_a_long_file_is_the_same_by_blocks_and_by_lines() -> None:
    data = b"".join(b"[Number %d]\n\n%s\n\n" % (number, b"1. x\n" * (number * 37 % 500)) for number in range(400))

    assert len(data) > 4 * cutting._BLOCK
    assert records(data + b"\n \n[B]\r\n\n1-2 ") == list(cut(Lines(data + b"\n \n[B]\r\n\n1-2 ")))
