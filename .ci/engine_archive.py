"""Make the archive of the engine for browsers: its sources, and its sentences in every language.

The same sources and catalogues always give the same bytes, because pages refer to the archive by its checksum.
"""

import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

PROJECT = Path(__file__).resolve().parents[1]
ENGINE = PROJECT / "engine"
ARCHIVE = PROJECT / "games" / "static" / "games" / "engine" / "engine.zip"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
NO_DAY = datetime(*LONG_AGO, tzinfo=UTC)


def main() -> None:
    """Write the archive, if it changed."""
    made = archive()
    if not ARCHIVE.exists() or ARCHIVE.read_bytes() != made:
        ARCHIVE.parent.mkdir(exist_ok=True)
        ARCHIVE.write_bytes(made)
    ARCHIVE.touch()


def archive() -> bytes:
    """Return the archive."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, content in contents():
            packed.writestr(zipfile.ZipInfo(name, LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def contents() -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of every file."""
    for path in sorted(ENGINE.rglob("*.py")):
        yield path.relative_to(PROJECT).as_posix(), path.read_bytes()
    for folder in sorted((PROJECT / "games" / "locale").iterdir()):
        yield f"engine/locale/{folder.name}/LC_MESSAGES/engine.mo", catalogue(folder.name)


def catalogue(language: str) -> bytes:
    """Return the engine's sentences in a language, compiled."""
    whole = Catalog(locale=language, creation_date=NO_DAY, revision_date=NO_DAY)
    for path in [PROJECT / "games" / "locale", *sorted(ENGINE.glob("*/locale"))]:
        with (path / language / "LC_MESSAGES" / "django.po").open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id and any(place.startswith("engine/") for place, _ in message.locations):
                    whole.add(message.id, message.string, context=message.context)
    compiled = io.BytesIO()
    write_mo(compiled, whole)
    return compiled.getvalue()


if __name__ == "__main__":
    main()
