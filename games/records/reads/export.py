"""Exports games: which ones, and their records.

Some thousand games are found at a time, some hundred records read at a time; nothing is locked between two queries.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.db.models import BinaryField, Case, F, Func, OuterRef, Prefetch, QuerySet, Subquery, Value, When

from engine.agn.dates import days_json
from engine.agn.lines import json_line, json_of_text
from games.models import Game, MoveLog, Seating
from games.models.records import VerdictKind
from games.packing import HEAD, unpacked_size
from games.platform.paging import beyond, mark_of
from games.platform.patience import patience
from games.records.reads.facts import TELLING_FIRST
from games.records.reads.games import GameFilter, games_wanted
from games.records.reads.visibility import Viewer, games_for

MOST = 5_000
"""Games that are found at a time."""
_BATCH, _BATCH_BYTES = 200, 256 * 1024
"""Records that are read at a time, and how long they may be together, as they were sent; the last may go beyond."""
_PATIENCE = 5_000
"""Milliseconds in which the database has to find so many games."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some games, in the order in which they were received."""

    games: tuple[int, ...]
    sizes: tuple[int, ...]
    """How long their records are, in bytes."""
    following: str | None
    """The mark after which the next part begins; none when this is the last one."""

    def batches(self) -> Iterator[list[int]]:
        """Yield the games in batches whose records fit into memory together."""
        batch, total = list[int](), 0
        for game, size in zip(self.games, self.sizes, strict=True):
            batch.append(game)
            total += size
            if len(batch) == _BATCH or total > _BATCH_BYTES:
                yield batch
                batch, total = [], 0
        if batch:
            yield batch


def find_part(wanted: GameFilter, viewer: Viewer, *, after: str = "", most: int = MOST) -> Part:
    """Return the legal games that match a filter and the viewer may see, from a mark on, at most so many.

    :raises CursorError: when the mark is invalid.
    :raises TooSlowError: when they are not found in time.
    """
    games = _after(after, games_wanted(wanted, viewer).exclude(verdict=VerdictKind.REJECTED))
    found = games.annotate(head=_head()).order_by("received_at", "pk").values_list("pk", "received_at", "head")
    with patience(_PATIENCE):
        rows = list(found[: most + 1])
    held = rows[:most]
    return Part(
        games=tuple([pk for pk, _, _ in held]),
        sizes=tuple([unpacked_size(head) for _, _, head in held]),
        following=mark_of(held[-1][1], held[-1][0]) if len(held) < len(rows) else None,
    )


def _head() -> Subquery:
    """Return the bytes of a game's first record that say how long it is."""
    first = Func(F("data"), Value(1), Value(HEAD), function="substr", output_field=BinaryField())
    return Subquery(MoveLog.objects.filter(game=OuterRef("pk")).order_by("pk").values(head=first)[:1])


def batches(games: "QuerySet[Game]") -> Iterator[list[int]]:
    """Yield games in the order in which they were received, with a new query for each batch."""
    games, mark = games.order_by("received_at", "pk"), ""
    while rows := list(_after(mark, games).values_list("pk", "received_at")[:_BATCH]):
        yield [pk for pk, _ in rows]
        mark = mark_of(rows[-1][1], rows[-1][0])


def _after(mark: str, games: "QuerySet[Game]") -> "QuerySet[Game]":
    return games.filter(beyond(mark, "received_at", upwards=True)) if mark else games


def records_of(batch: Sequence[int], viewer: Viewer) -> Iterator[MoveLog]:
    """Yield the records of some games, in their order, each with its game: those in which they are shown.

    A game that was hidden meanwhile is left out.
    """
    found = {log.game_id: log for log in _shown(batch, viewer)}
    yield from (found[pk] for pk in batch if pk in found)


def _shown(games: Sequence[int], viewer: Viewer) -> "QuerySet[MoveLog]":
    """Return the record that tells the facts of each game, or its first; to an uploader their own of a private one."""
    seatings = Prefetch("game__seatings", Seating.objects.order_by("seat"))
    logs = MoveLog.objects.filter(games_for(viewer, "game__"), game__in=games).exclude(record_digest="")
    own = Case(When(game__private=True, upload__uploader=viewer.pk, then=0), default=1)
    first = logs.order_by("game", own, TELLING_FIRST, "upload__private", "pk").distinct("game")
    return first.select_related("game").only("text", "record_digest", "game").prefetch_related(seatings)


# How they are written


def in_agn(records: Iterable[MoveLog], **_: object) -> Iterator[str]:
    """Yield one canonical text after another, then a line `{}`: an empty comment counts as none (AGN-MOVE-3)."""
    before = ""
    for log in records:
        yield before + log.text
        before = "\n"
    if before:
        yield "{}\n"


def in_ndjson(records: Iterable[MoveLog], **_: object) -> Iterator[str]:
    """Return one record in JSON a line, and an empty line at the end."""
    for log in records:
        yield json_line(json_of_text(log.text))
    yield "\n"


def annotated(records: Iterable[MoveLog], *, following: str | None = None) -> Iterator[str]:
    """Return one game a line with what is known of it besides its record, and a line `{"end": …}` that counts them.

    :param following: the address of the next part.
    """
    games = 0
    for log in records:
        games += 1
        yield json_line(_known(log))
    yield json_line({"end": {"games": games, "next": following}})


def _known(log: MoveLog) -> dict[str, Any]:
    game = log.game
    assert game is not None  # noqa: S101 - for the types: these were found by their games
    return {
        "key": game.key,
        "ruleset": game.ruleset,
        "verdict": game.verdict,
        "digest": game.digest,
        "record_digest": log.record_digest,
        "received_at": game.received_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        **days_json(game.played),
        "ended": game.ended,
        "termination": game.termination,
        "scored": game.scored,
        "seats": [
            {"letter": seating.letter, "player": seating.player_id, "place": seating.place}
            for seating in game.seatings.all()
        ],
        "record": json_of_text(log.text),
    }


@dataclass(frozen=True, slots=True)
class Form:
    """One way in which games are written down one after another."""

    suffix: str
    content_type: str
    lines: Callable[..., Iterator[str]]


FORMS: Mapping[str, Form] = {
    "agn": Form("agn", "text/plain; charset=utf-8", in_agn),
    "ndjson": Form("ndjson", "application/x-ndjson", in_ndjson),
    "annotated": Form("ndjson", "application/x-ndjson", annotated),
}
