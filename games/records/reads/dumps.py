"""Reading the dumps that exist, and those that are due or out of date."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from games.models import Act, Game
from games.models.records import VerdictKind

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"
_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,99}")


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A month, in UTC."""

    year: int
    number: int

    @classmethod
    def of(cls, moment: datetime) -> "Month":
        """Return the month of a moment."""
        moment = moment.astimezone(UTC)
        return cls(moment.year, moment.month)

    @classmethod
    def read(cls, text: str) -> "Month":
        """Return a month as it is written. :raises ValueError: when that is none."""
        match = _MONTH.fullmatch(text)
        if match is None or match[1] == "0000":
            raise ValueError(f"{text!r} is no month such as 2026-11.")
        return cls(int(match[1]), int(match[2]))

    @property
    def begin(self) -> datetime:
        """Return its first moment."""
        return datetime(self.year, self.number, 1, tzinfo=UTC)

    def following(self) -> "Month":
        """Return the next one."""
        return Month(self.year + self.number // 12, self.number % 12 + 1)

    def __str__(self) -> str:
        return f"{self.year:04}-{self.number:02}"


@dataclass(frozen=True, slots=True)
class DumpFile:
    """One file of a dump."""

    name: str
    form: str
    bytes: int
    unpacked: int
    sha256: str


@dataclass(frozen=True, slots=True)
class DumpPart:
    """The games of one ruleset in a dump."""

    ruleset: str
    games: int
    digest: str
    files: tuple[DumpFile, ...]


@dataclass(frozen=True, slots=True)
class Dump:
    """The games of a month, as files."""

    month: Month
    made_at: datetime
    engine_version: str
    licence: str
    parts: tuple[DumpPart, ...]


def list_dumps() -> list[Dump]:
    """Return the dumps that there are, newest month first."""
    return sorted(_dumps(), key=lambda dump: dump.month, reverse=True)


def _dumps() -> Iterator[Dump]:
    folder = Path(settings.DUMPS_DIR)
    for path in folder.iterdir() if folder.is_dir() else ():
        if _MONTH.fullmatch(path.name) and (path / MANIFEST).is_file():
            yield dump_of(json.loads((path / MANIFEST).read_text(encoding="utf-8")))


def dump_of(manifest: dict[str, Any]) -> Dump:
    """Return a manifest, read."""
    return Dump(
        month=Month.read(manifest["month"]),
        made_at=datetime.fromisoformat(manifest["made_at"]),
        engine_version=manifest["engine_version"],
        licence=manifest["licence"],
        parts=tuple(
            DumpPart(part["ruleset"], part["games"], part["digest"], tuple(DumpFile(**file) for file in part["files"]))
            for part in manifest["rulesets"]
        ),
    )


def find_file(month: str, name: str) -> Path | None:
    """Return where a file of a dump lies; none when there is none of this name."""
    if not (_MONTH.fullmatch(month) and _NAME.fullmatch(name)):
        return None
    path = Path(settings.DUMPS_DIR) / month / name
    return path if path.is_file() else None


def games_of(month: Month, ruleset: str) -> "QuerySet[Game]":
    """Return the public, legal games of a ruleset that were received in a month."""
    games = Game.objects.filter(ruleset=ruleset, private=False, same_as=None).exclude(verdict=VerdictKind.REJECTED)
    return games.filter(**_received(month))


def months_due(now: datetime) -> list[Month]:
    """Return the past months that have games but no dump, or one that is out of date; oldest first."""
    known = {dump.month: dump for dump in list_dumps()}
    missing = {month for month in _months(now) if month not in known}
    return sorted(missing | {month for month, dump in known.items() if _is_stale(dump)})


def _months(now: datetime) -> Iterator[Month]:
    """Return the months that are over and in which public games were received."""
    public = Game.objects.filter(private=False).exclude(verdict=VerdictKind.REJECTED)
    first = public.order_by("received_at").values_list("received_at", flat=True).first()
    month, last = Month.of(first or now), Month.of(now)
    while month < last:
        if public.filter(**_received(month)).exists():
            yield month
        month = month.following()


def _received(month: Month) -> dict[str, datetime]:
    return {"received_at__gte": month.begin, "received_at__lt": month.following().begin}


def _is_stale(dump: Dump) -> bool:
    """Return whether a game of the month was hidden or shown since, or somebody who sat at one has left."""
    turning = (Act.Kind.GAME_HIDDEN, Act.Kind.GAME_SHOWN, Act.Kind.SEATING_CHOSEN, Act.Kind.SEATING_AGREED)
    turned = Act.objects.filter(kind__in=turning, at__gte=dump.made_at)
    left = Act.objects.filter(kind=Act.Kind.ACCOUNT_DELETED, at__gte=dump.made_at)
    games = Game.objects.filter(**_received(dump.month))
    if games.filter(pk__in=turned.values("game")).exists():
        return True
    return games.filter(seatings__player__in=left.values("player")).exists()
