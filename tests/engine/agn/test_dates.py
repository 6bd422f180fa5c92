"""A date is a range from its first possible day to its last; one in the future is at fault where the day is known."""

from datetime import date

import pytest

from engine.agn.dates import Days, days_of, days_played
from engine.browser import Engine
from engine.verify import REJECTED, VERIFIED, verify_bytes

RECORD = """[Game "Army Ants"]
[Rules "standard"]
[Seats "R B"]
[Red "Ann"]
[Black "Ben"]
[{tag} "{value}"]
[Setup "75.25/A7629/63448/389AQ/94625/A6983/Q378A/54.27"]
[Result "2-1"]

resign:R
2-1
"""
TODAY = date(2026, 11, 29)


def dated(value: str, tag: str = "Date") -> bytes:
    return RECORD.format(tag=tag, value=value).encode()


@pytest.mark.parametrize(
    ("value", "first", "last", "said"),
    [
        ("2026.05.09", "2026-05-09", "2026-05-09", "2026-05-09"),
        ("2026.05.??", "2026-05-01", "2026-05-31", "2026-05"),
        ("2024.02.??", "2024-02-01", "2024-02-29", "2024-02"),
        ("2025.??.??", "2025-01-01", "2025-12-31", "2025"),
        ("2026.??.31", "2026-01-31", "2026-12-31", "2026-01-31/2026-12-31"),
        ("9999.12.??", "9999-12-01", "9999-12-31", "9999-12"),
    ],
)
def test_a_date_is_a_range_of_days(value: str, first: str, last: str, said: str) -> None:
    days = days_of(value)
    assert days == Days(date.fromisoformat(first), date.fromisoformat(last))
    assert str(days) == said


@pytest.mark.parametrize("value", ["????.??.??", "????.05.09", "2026.02.30", ""])
def test_without_a_year_there_is_no_range(value: str) -> None:
    assert days_of(value) is None


def test_the_date_of_play_stands_above_the_one_in_utc_which_is_better_than_none() -> None:
    assert days_played({"Date": "2026.05.??", "UTCDate": "2026.05.09"}) == days_of("2026.05.??")
    assert days_played({"Date": "????.??.??", "UTCDate": "2026.05.09"}) == days_of("2026.05.09")
    assert days_played({}) is None


@pytest.mark.parametrize("tag", ["Date", "UTCDate"])
@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("2026.11.29", VERIFIED), ("2026.11.30", VERIFIED), ("2026.12.01", REJECTED), ("2999.01.01", REJECTED),
        ("2026.11.??", VERIFIED), ("2026.??.??", VERIFIED), ("2026.12.??", REJECTED), ("2027.??.??", REJECTED),
        ("2026.??.31", VERIFIED), ("????.12.31", VERIFIED),
    ],
)  # fmt: skip
def test_a_date_is_at_most_a_day_ahead_of_the_verdict(tag: str, value: str, verdict: str) -> None:
    (found,) = verify_bytes(dated(value, tag), TODAY)
    assert found.verdict == verdict
    if found.fault:
        sentence = f"{tag} '{value}' is in the future: this was checked on 2026.11.29."
        assert (found.fault.rule, found.fault.line, found.fault.message) == ("AGN-TAG-6", 6, sentence)


def test_the_engine_alone_knows_no_day() -> None:
    assert [found.verdict for found in verify_bytes(dated("2999.01.01"))] == [VERIFIED]


def test_the_engine_in_a_browser_is_told_the_day() -> None:
    engine, text = Engine("en"), dated("2027.01.01")
    checked = [engine.check("a.agn", text, day).more(1_000) for day in ("2026-11-29", "2027-01-01")]
    records = [engine.record(text.decode(), "", day) for day in ("2026-11-29", "2027-01-01")]
    for answers in (checked, records):
        assert ["AGN-TAG-6" in answer for answer in answers] == [True, False]
