"""Tables as CSV that spreadsheet programs open without harm: the only writer of CSV."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

CSV: Final = "text/csv; charset=utf-8"
_BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it Excel takes UTF-8 for the code page of the machine."""
_FORMULA: Final = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""A spreadsheet takes what begins with one of these for something to compute; also in full width
(OWASP, CSV Injection)."""
_INSIDE: Final = re.compile(r"[;\t|]\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""The same after what some spreadsheets take for a border of cells, as ``;`` where a comma is the decimal mark."""
_NUMBER: Final = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
"""What begins with a sign and is harmless."""


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Return a table as the lines of a CSV file, its head first. Texts that look like formulas get an apostrophe."""
    write = csv.writer(_Echo()).writerow
    yield _BYTE_ORDER_MARK + write(columns)
    for row in rows:
        yield write([_harmless(value) for value in row])


class _Echo:
    """A file whose `write` returns what is written."""

    def write(self, text: str) -> str:
        """Give it back."""
        return text


def _harmless(value: object) -> object:
    """Return a value so that no spreadsheet treats it as a formula; blanks before one do not hide it."""
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    if value.startswith(_FORMULA) or value.lstrip().startswith(_FORMULA):
        return f"'{value[0]}{_guarded(value[1:])}"
    return _guarded(value)


def _guarded(text: str) -> str:
    return _INSIDE.sub(lambda found: f"{found[0][:-1]}'{found[0][-1]}", text)
