"""The table of the security standard: each row names a test, or says why there is none, and what is open."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = (ROOT / "docs/reference/asvs.md").read_text()
ROWS = re.findall(r"^\| (\d+\.\d+\.\d+[^|]*) \| ([^|]*) \| ([^|]*)\|$", TABLE, re.MULTILINE)


def test_a_row_names_its_test_or_the_operator_or_says_that_it_is_open_or_has_nothing_to_test() -> None:
    untested = {row[0] for row in ROWS if not row[2].strip()}
    explained = {row[0] for row in ROWS if re.search(r"\*\*open\*\*|none|not relied on|no plugins", row[1])}
    assert len(ROWS) > 120
    assert {row.split()[0] for row in untested - explained} == {"13.1.1", "13.4.3", "15.1.3", "15.3.7"}


def test_what_is_open_is_listed_at_the_beginning() -> None:
    listed = set(re.findall(r"\d+\.\d+\.\d+", TABLE.split("**Open**")[1].partition("\n\n")[0]))
    openly = {number for row in ROWS if "**open**" in row[1] for number in re.findall(r"\d+\.\d+\.\d+", row[0])}
    assert openly == listed
