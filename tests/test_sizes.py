"""A long file or function gives its reason."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE, FUNCTION = 400, 40
REASON = re.compile(r"\b[Ll]ong(er)?\b.*\b(because|so that)\b", re.DOTALL)
Functions = ast.FunctionDef | ast.AsyncFunctionDef


def sources(*endings: str) -> Iterator[tuple[Path, str]]:
    found = (path for room in ("atta_site", "engine", "games") for path in (ROOT / room).rglob("*"))
    for path in found:
        if path.suffix in endings and not {"migrations", "vendor"} & set(path.parts):
            yield path.relative_to(ROOT), path.read_text()


def heading_of(path: Path, text: str) -> str:
    return ast.get_docstring(ast.parse(text)) or "" if path.suffix == ".py" else text.partition("*/")[0]


def test_every_file_over_400_lines_says_why_at_its_top() -> None:
    long = ((path, text) for path, text in sources(".py", ".js") if text.count("\n") > FILE)
    assert [str(path) for path, text in long if not REASON.search(heading_of(path, text))] == []


def test_every_function_over_40_lines_says_why_in_its_docstring() -> None:
    for path, text in sources(".py"):
        functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, Functions))
        for node in functions:
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= FUNCTION or REASON.search(ast.get_docstring(node) or ""), f"{path}: {node.name}"
