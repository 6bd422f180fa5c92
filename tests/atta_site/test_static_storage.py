"""What is sent of scripts and style sheets: lean, and style sheets several as one."""

import json
import re
from pathlib import Path
from posixpath import join, normpath
from typing import Any

import pytest

from atta_site.static_storage import lean

SOURCES = Path(__file__).parents[2] / "games" / "static" / "games"
SCRIPTS = [path for path in SOURCES.rglob("*.js") if "vendor" not in path.parts]
OURS = [*SCRIPTS, *SOURCES.glob("*.css"), *SOURCES.glob("css/*.css")]
JOINED = sorted(path.name for path in (SOURCES / "joined").iterdir())
_IMPORTED = re.compile(r'(?:from |\bimport\()"(\..+?)"')


def sent(name: str, settings: Any) -> str:
    """Return the file that pages name for another."""
    return Path(settings.STATIC_ROOT, names(settings)[f"games/{name}"]).read_text()


def names(settings: Any) -> dict[str, str]:
    """Return the names with a hash of all files."""
    found: dict[str, str] = json.loads((settings.STATIC_ROOT / "staticfiles.json").read_text())["paths"]
    return found


def test_only_comments_that_fill_lines_indentation_and_empty_lines_are_left_out() -> None:
    written = '/* What it\n   does. */\n\n  // why\n  a = "/* no */"; // kept\n/* one */ b();\n  /* two */\n'
    assert lean(written, ".js") == 'a = "/* no */"; // kept\n/* one */ b();\n'


def test_what_is_a_comment_in_scripts_only_stays_in_style_sheets() -> None:
    assert lean("/* why */\na {\n  b: url(\n    //c/d.png\n  );\n}\n", ".css") == "a {\nb: url(\n//c/d.png\n);\n}\n"


def test_nothing_that_is_quoted_goes_on_in_another_line() -> None:
    lines = [line for path in OURS for line in lean(path.read_text(), path.suffix).splitlines()]
    assert [line for line in lines if line.count("`") % 2 or line.endswith("\\")] == []


@pytest.mark.parametrize("name", JOINED)
def test_a_joined_style_sheet_holds_what_it_names_in_order(static_files: None, settings: Any, name: str) -> None:
    whole, at = sent(f"joined/{name}", settings), 0
    assert not re.search('^@import "', whole, re.MULTILINE)
    for named in re.findall(r'"\.\./(.+)";', (SOURCES / "joined" / name).read_text()):
        part = re.sub(r'url\(".*?"\)', "", sent(named, settings))
        at = re.sub(r'url\(".*?"\)', "", whole).index(part, at) + len(part)


def test_every_import_of_a_sent_script_names_a_sent_script(static_files: None, settings: Any) -> None:
    hashed, read = {*names(settings).values()}, 0
    for path in SCRIPTS:
        name = path.relative_to(SOURCES).as_posix()
        written, come = (_IMPORTED.findall(text) for text in (path.read_text(), sent(name, settings)))
        assert len(come) == len(written), name
        assert {normpath(join("games", name, "..", one)) for one in come} <= hashed, name
        read += len(come)
    assert read > len(JOINED)
