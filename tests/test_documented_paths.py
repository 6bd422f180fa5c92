"""Every path that the documents name in backticks exists."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATH = re.compile(r"`((?:games|engine|atta_site|tests|bench|fixtures)/[^`\s]*)`")
PLACEHOLDER = re.compile(r"<\w+>")
"""A placeholder for any name, as in `engine/<game>/rules`."""


def named() -> Iterator[tuple[str, str]]:
    """Yield each document with each path it names."""
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for path in PATH.findall(document.read_text()):
            yield str(document.relative_to(ROOT)), path


def test_every_file_that_answers_a_question_exists() -> None:
    """A file named alone lies in the folder of the path before it."""
    rows = re.findall(r"^\| [^|`]+\? \| (.*) \|$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    missing = list[str]()
    for row in rows:
        folder = ROOT
        for name in re.findall(r"`([^`]+)`", row):
            path = PLACEHOLDER.sub("army_ants", name)
            where = ROOT / path if "/" in path else folder / path
            folder = where if where.is_dir() else where.parent
            missing += [name] if not where.exists() else []
    assert len(rows) >= 12
    assert missing == []


def test_every_path_in_the_documents_exists() -> None:
    missing = [
        f"{document}: {path}"
        for document, path in named()
        if not any(ROOT.glob(PLACEHOLDER.sub("*", path).rstrip("/"))) and not any(ROOT.glob(f"{path}.py"))
    ]
    assert missing == []
