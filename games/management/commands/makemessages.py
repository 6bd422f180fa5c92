"""Collecting what is to be translated, the engine's templates with it: they are literals in the calls named here."""

from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from django.core.management.commands import makemessages

import games
from games.platform.errors import RefusedError

_TEMPLATES = ("marked", "words:1", "counted:1,2", "RuleError:2", "IllegalMoveError:2", "MoveSyntaxError:2",
              "TagError:3", "AgnError:3", "StudyError:2", "fault_at:2",
              "RecranksError:2")  # fmt: skip
_DATE = '"POT-Creation-Date'
_ELSEWHERE = (".venv", "bench", "build", "fixtures", "tests", "var")


def _calls() -> list[str]:
    """Return what takes a template, and as which of its arguments; every kind of refusal among them."""
    for module in walk_packages(games.__path__, "games."):
        if not module.name.startswith("games.m"):  # management, migrations and models refuse nothing
            import_module(module.name)
    return [*_TEMPLATES, *(f"{kind.__name__}:2" for kind in _refusals(RefusedError))]


def _refusals(kind: type[RefusedError]) -> Iterator[type[RefusedError]]:
    """Yield a kind of refusal and all that derive from it and take a template at the same place."""
    if [*signature(kind.__init__).parameters][2:3] == ["template"]:
        yield kind
    for derived in kind.__subclasses__():
        yield from _refusals(derived)


class Command(makemessages.Command):
    """Django's command, for this project."""

    help = "Bring the catalogues up to date with the sources."
    xgettext_options = [*makemessages.Command.xgettext_options, *(f"--keyword={call}" for call in _calls())]
    # A guess at a translation is worse than a gap, which the tests name.
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect so that a catalogue changes when its sentences do, and not with every line above them."""
        ignored = [*options["ignore_patterns"], *_ELSEWHERE]
        wanted = {"ignore_patterns": ignored, "add_location": "file", "no_wrap": True, "no_obsolete": True}
        super().handle(*args, **options | wanted)

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Merge, and drop the date."""
        super().write_po_file(potfile, locale)
        for folder in self.locale_paths:
            _drop_date(Path(folder) / locale / "LC_MESSAGES" / f"{self.domain}.po")


def _drop_date(path: Path) -> None:
    if path.exists():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not line.startswith(_DATE)), encoding="utf-8")
