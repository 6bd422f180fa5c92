"""Tables as CSV: what a spreadsheet would compute stays text, and umlauts stay umlauts."""

import csv
import io
from pathlib import Path

import pytest

from games.platform.spreadsheets import table

PROJECT = Path(__file__).parents[2]


def read(lines: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(lines.removeprefix("\ufeff"))))


@pytest.mark.parametrize(
    "name",
    [
        "=1+1",
        "+SUM(A1)",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "\uff1d1+1",
        "\uff0b1",
        "\uff0d1",
        "\uff20SUM(A1)",
        " =1+1",
        "\u00a0\uff1d1",
    ],
)
def test_text_that_looks_like_a_formula_gets_an_apostrophe(name: str) -> None:
    assert read("".join(table(["name"], [[name]]))) == [["name"], [f"'{name}"]]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ann;=1+1", "Ann;'=1+1"),
        ("Ann; \uff1d1", "Ann; '\uff1d1"),
        ("a|@b", "a|'@b"),
        ("=1;=2", "'=1;'=2"),
        ("a; b", "a; b"),
    ],
)
def test_a_formula_after_a_border_of_cells_gets_an_apostrophe_too(name: str, written: str) -> None:
    assert read("".join(table(["name"], [[name]]))) == [["name"], [written]]


@pytest.mark.parametrize("value", [-12, "-12", "+3.5", "Zoë", "a=b", "", "’s", 0.5])
def test_numbers_and_other_texts_stay_as_they_are(value: object) -> None:
    assert read("".join(table(["value"], [[value]]))) == [["value"], [str(value)]]


def test_table_begins_with_a_byte_order_mark_so_that_excel_reads_umlauts() -> None:
    assert "".join(table(["name"], [["Jörg"]])).encode().startswith(b"\xef\xbb\xbf")


def test_one_module_writes_csv() -> None:
    writing = [path for path in (PROJECT / "games").rglob("*.py") if "csv.writer" in path.read_text("utf-8")]

    assert [path.name for path in writing] == ["spreadsheets.py"]
