"""What the page of the dumps shows."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext

from engine.registry import ruleset_by_slug
from games.records.reads.dumps import SUMS, Dump, DumpFile, DumpPart, list_dumps


@dataclass(frozen=True, slots=True)
class FileShown:
    """A file to be had."""

    name: str
    form: str
    url: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PartShown:
    """The games of one ruleset."""

    title: str
    games: int
    digest: str
    files: tuple[FileShown, ...]


@dataclass(frozen=True, slots=True)
class DumpShown:
    """A month."""

    month: str
    begin: datetime
    made_at: datetime
    engine_version: str
    licence: str
    games: int
    parts: tuple[PartShown, ...]
    sums: str
    """Where the checksums are."""


@dataclass(frozen=True, slots=True)
class DumpsPage:
    """All months, newest first."""

    site: str
    dumps: tuple[DumpShown, ...]

    @property
    def example(self) -> FileShown | None:
        """Return a file for the examples."""
        return next((part.files[0] for dump in self.dumps for part in dump.parts), None)


def dumps_page(site: str) -> DumpsPage:
    """Return all that the page shows.

    :param site: its address, without a slash at the end.
    """
    return DumpsPage(site, tuple(map(_dump, list_dumps())))


def _dump(dump: Dump) -> DumpShown:
    return DumpShown(
        month=str(dump.month),
        begin=dump.month.begin,
        made_at=dump.made_at,
        engine_version=dump.engine_version,
        licence=dump.licence,
        games=sum(part.games for part in dump.parts),
        parts=tuple(_part(dump, part) for part in dump.parts),
        sums=_url(dump, SUMS),
    )


def _part(dump: Dump, part: DumpPart) -> PartShown:
    title = gettext(ruleset_by_slug(part.ruleset).title)
    return PartShown(title, part.games, part.digest, tuple(_file(dump, file) for file in part.files))


def _file(dump: Dump, file: DumpFile) -> FileShown:
    return FileShown(file.name, file.form, _url(dump, file.name), file.bytes, file.sha256)


def _url(dump: Dump, name: str) -> str:
    return reverse("dump-file", args=[str(dump.month), name])
