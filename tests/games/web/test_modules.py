"""Scripts are ES modules: pages name them with what they import, and they fit together."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from posixpath import join, normpath
from typing import NamedTuple

from django.template import Context, Template
from django.templatetags.static import static

import games
from games.web.modules import closure

GAMES = Path(games.__file__).parent
STATIC = GAMES / "static"
NOT_IMPORTED = {
    "games/js/engine/worker.js",
    "games/js/offline/worker.js",
    "games/js/push-worker.js",
    "games/js/reference.js",
    "games/js/score/offline-worker.js",
}
"""Scripts that are no modules of a page: workers, and what must run before Swagger UI."""
_NAMED = re.compile(r"{% modules ([^%]+) %}")
_EXPORT = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)|^export \{ (.+) \};", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\..+?)"\)')


class Import(NamedTuple):
    """A line that imports names; none where it takes all under one name."""

    module: str
    names: tuple[str, ...]


def source(name: str) -> str:
    return (STATIC / name).read_text()


def scripts() -> dict[str, str]:
    """Return the text of each of our scripts."""
    ours = (path for path in (STATIC / "games").rglob("*.js") if "vendor" not in path.parts)
    return {path.relative_to(STATIC).as_posix(): path.read_text() for path in ours}


def imports(name: str, text: str) -> Iterator[Import]:
    """Yield what a script imports. Django and `games.web.modules` read no other form of it."""
    for line in re.findall(r"^(?:import\b(?! *\().*|export .*\bfrom\b.*)$", text, re.MULTILINE):
        written = re.fullmatch(r'import (?:\{ (.+) \}|\* as \w+) from "(\./.+|\.\./.+)";', line)
        assert written, f"{name}: {line}"
        names = tuple(written[1].split(", ")) if written[1] else ()
        yield Import(normpath(join(name, "..", written[2])), names)


def exported(text: str) -> set[str]:
    return {name for one, many in _EXPORT.findall(text) for name in (many.split(", ") if many else [one])}


def entries() -> set[str]:
    """Return the modules that templates name."""
    texts = (path.read_text() for path in (GAMES / "templates").rglob("*.html"))
    return {name for text in texts for names in _NAMED.findall(text) for name in re.findall('"(.+?)"', names)}


def test_a_page_names_what_a_module_imports_before_the_module(static_files: None) -> None:
    html = Template('{% modules "games/js/verdict.js" "games/js/copy.js" %}').render(Context())
    scene, verdict, copy = (static(f"games/js/{name}.js") for name in ("scene", "verdict", "copy"))
    assert [line.strip() for line in html.splitlines()] == [
        f'<link rel="modulepreload" href="{scene}">',
        f'<script type="module" src="{verdict}"></script>',
        f'<script type="module" src="{copy}"></script>',
    ]


def test_a_module_comes_once_and_after_what_it_imports() -> None:
    found = closure("games/js/table.js")
    assert len(found) == len({*found})
    for name in found:
        assert all(found.index(one.module) < found.index(name) for one in imports(name, source(name)))


def test_what_a_module_imports_is_exported_and_what_is_exported_is_imported() -> None:
    texts = scripts()
    taken = set[tuple[str, str]]()
    for name, text in texts.items():
        for module, wanted in imports(name, text):
            offered = exported(texts[module])
            assert {*wanted} <= offered, f"{name} imports {set(wanted) - offered} of {module}"
            taken |= {(module, one) for one in wanted or offered}
        later = {normpath(join(name, "..", address)) for address in _LATER.findall(text)}
        taken |= {(module, one) for module in later for one in exported(texts[module])}
    assert {(name, one) for name, text in texts.items() for one in exported(text)} - taken == set()


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Otherwise the hash of neither could be computed."""
    above = {name: {one.module for one in imports(name, text)} for name, text in scripts().items()}
    while leaves := {name for name, imported in above.items() if not imported & above.keys()}:
        above = {name: imported for name, imported in above.items() if name not in leaves}
    assert above == {}


def test_every_script_is_used_and_every_module_of_a_page_exists() -> None:
    texts, reached = scripts(), set[str]()
    waiting = entries()
    while waiting:
        reached |= waiting
        imported = chain.from_iterable(
            [one.module for one in imports(name, texts[name])]
            + [normpath(join(name, "..", address)) for address in _LATER.findall(texts[name])]
            for name in waiting
        )
        waiting = {*imported} - reached
    assert {*texts} - reached == NOT_IMPORTED
