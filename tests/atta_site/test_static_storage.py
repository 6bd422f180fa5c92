"""What is sent of scripts and style sheets: lean, and several as one file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from atta_site.joining import lean

SOURCES = Path(__file__).parents[2] / "games" / "static" / "games"
OURS = [*SOURCES.glob("*.js"), *SOURCES.glob("js/**/*.js"), *SOURCES.glob("*.css"), *SOURCES.glob("css/*.css")]
JOINED = sorted(path.name for path in (SOURCES / "joined").iterdir())


def sent(name: str, settings: Any) -> str:
    """Return the file that pages name for another."""
    names = json.loads((settings.STATIC_ROOT / "staticfiles.json").read_text())["paths"]
    return Path(settings.STATIC_ROOT, names[f"games/{name}"]).read_text()


def test_only_comments_that_fill_lines_indentation_and_empty_lines_are_left_out() -> None:
    written = '/* What it\n   does. */\n\n  // why\n  a = "/* no */"; // kept\n/* one */ b();\n  /* two */\n'
    assert lean(written, ".js") == 'a = "/* no */"; // kept\n/* one */ b();\n'


def test_what_is_a_comment_in_scripts_only_stays_in_style_sheets() -> None:
    assert lean("/* why */\na {\n  b: url(\n    //c/d.png\n  );\n}\n", ".css") == "a {\nb: url(\n//c/d.png\n);\n}\n"


def test_nothing_that_is_quoted_goes_on_in_another_line() -> None:
    lines = [line for path in OURS for line in lean(path.read_text(), path.suffix).splitlines()]
    assert [line for line in lines if line.count("`") % 2 or line.endswith("\\")] == []


@pytest.mark.parametrize("name", JOINED)
def test_a_joined_file_holds_what_it_names_in_order(static_files: None, settings: Any, name: str) -> None:
    whole, at = sent(f"joined/{name}", settings), 0
    assert not re.search('^@?import "', whole, re.MULTILINE)
    for named in re.findall(r'"\.\./(.+)";', (SOURCES / "joined" / name).read_text()):
        part = re.sub(r'url\(".*?"\)', "", sent(named, settings))
        at = re.sub(r'url\(".*?"\)', "", whole).index(part, at) + len(part)


def parts(name: str) -> list[str]:
    """Return all files that are sent in a joined one."""
    named = re.findall(r'"(.+)";', (SOURCES / "joined" / name).read_text())
    return [part for one in named for part in (parts(one[2:]) if one.startswith("./") else [one])]


def test_no_file_is_joined_twice_to_what_one_page_loads() -> None:
    for names in (
        ("page.js", "board.js", "table.js"),
        ("page.js", "board.js", "score.js"),
        ("page.js", "replay.js", "acting.js"),
        ("page.js", "home.js"),
    ):
        found = [part for name in names for part in parts(name)]
        assert len(found) == len({*found})
