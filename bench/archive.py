"""Writes archives of distinct games, compressed with zstd as users do it, in bounded memory; kept in var/bench."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bench.distinct import SampleRecord, records
from bench.played import KEPT, SOURCES, play
from engine.verify import ENGINE_VERSION
from games.zstd import zstd

_LEVEL = 3
USUAL = 125
"""Ways in which a game can end: more than that were counted of every kind, on average."""


class Archive(NamedTuple):
    """A file of games, and the counts of its content."""

    path: Path
    games: int
    broken: int
    unpacked: int
    """Bytes when it is unpacked."""
    seats: int
    """Of the games that are not broken, together."""

    @property
    def whole(self) -> int:
        """The number of games that will be verified."""
        return self.games - self.broken

    def __str__(self) -> str:
        packed = self.path.stat().st_size
        return (
            f"{self.games:,} games, {self.broken:,} of them broken, {self.unpacked / 1e6:,.0f} MB,"
            f" packed {packed / 1e6:,.0f} MB ({packed / self.games:,.0f} bytes a game)"
        )


class Games:
    """A source of distinct games: of one ruleset, or of all in turn."""

    def __init__(self, games: Mapping[str, int], folder: Path = KEPT / "played") -> None:
        played = play({slug: count // USUAL + 1 for slug, count in games.items()}, folder)
        self.of = {slug: records(slug, played[slug]) for slug in games}

    def mixed(self) -> Iterator[SampleRecord]:
        """Yield the next game of each ruleset in turn."""
        return (record for together in zip(*self.of.values(), strict=False) for record in together)


def kept(folder: Path, games: int) -> Archive:
    """Return a file of so many games of all rulesets; it is written only once."""
    path = folder / f"{games}-{ENGINE_VERSION}.agn.zst"
    about = path.with_suffix(".json")
    if not about.exists():
        folder.mkdir(parents=True, exist_ok=True)
        written = write(path, Games(dict.fromkeys(SOURCES, games // len(SOURCES))).mixed(), games)
        about.write_text(json.dumps(written[1:]))
    return Archive(path, *json.loads(about.read_text()))


def write(path: Path, source: Iterator[SampleRecord], games: int) -> Archive:
    """Write the next games of a source into a file. :raises SystemExit: when two of them are the same game."""
    seen, count = set[int](), Counter[str]()
    with zstd.open(path, "wb", level=_LEVEL) as file:
        for record in islice(source, games):
            file.write(record.data)
            file.write(b"\n")
            count["games"] += 1
            count["bytes"] += len(record.data) + 1
            count["broken"] += record.broken
            if not record.broken:
                count["seats"] += record.seats
                seen.add(hash(record.sameness))
    if (count["games"], len(seen)) != (games, games - count["broken"]):
        raise SystemExit(f"{count['games']:,} games could be made, {len(seen):,} of them different, not {games:,}")
    return Archive(path, games, count["broken"], count["bytes"], count["seats"])
