"""Comparison of records with what is stored about them: digests, seats, places."""

from collections.abc import Iterable, Iterator
from typing import Any

from engine.agn.log import Record
from engine.agn.names import name_key
from engine.summary import RecordSummary, summarize
from engine.verify import VERIFIED, verify
from games.audit.flaws import GAME, RECORD, SEATING, Flaw, Row, compare
from games.audit.reads import Accepted, Seated
from games.audit.recompute import Played
from games.models import Player


def read(row: Accepted) -> tuple[list[Flaw], Played]:
    """Return what a game's record says, and stored values that differ; stored values where it says nothing."""
    as_stored = Played(row, tuple([seat.player for seat in row.seats]), tuple([seat.place or 0 for seat in row.seats]))
    try:
        summary = summarize(row.text or "")
    except ValueError:
        return [Flaw(RECORD, _named(row), {"text": "unreadable"}, {"text": "canonical"})], as_stored
    if len(summary.places) != len(row.seats) or len(summary.letters) != len(row.seats):
        return [Flaw(RECORD, _named(row), {"seats": len(row.seats)}, {"seats": len(summary.places)})], as_stored
    if _agrees(row, summary):  # as nearly all do, of which there may be millions
        return [], as_stored
    flaws = [*_compare_game(row, summary), *_compare_seats(row, summary)]
    return flaws, Played(row, tuple(seat["player"] for seat in seats_on_record(row, summary)), summary.places)


def _agrees(row: Accepted, summary: RecordSummary) -> bool:
    """Return whether all stored values agree."""
    stored = (row.record_digest, row.digest, row.log_digest, row.ruleset, row.ladder_ruleset)
    if stored != (summary.record_digest, summary.digest, summary.digest, summary.ruleset, summary.ruleset):
        return False
    due = zip(summary.letters, summary.names, summary.places, strict=True)
    return all(
        seat.letter == letter and seat.place == place and _is_named(seat, name, summary.source)
        for seat, (letter, name, place) in zip(row.seats, due, strict=True)
    )


def _is_named(seat: Seated, name: str, source: str) -> bool:
    """Return whether a seat's player has a name; one that was merged may be stored in another form of the same text."""
    stored = (seat.name, seat.source)
    return stored == (name, source) or tuple(map(name_key, stored)) == (name, source)


def _named(row: Accepted) -> Row:
    return {"game": row.key, "number": row.number}


def _compare_game(row: Accepted, summary: RecordSummary) -> Iterator[Flaw]:
    yield from compare(
        RECORD, _named(row), {"record_digest": row.record_digest}, {"record_digest": summary.record_digest}
    )
    stored = {"digest": row.digest, "log_digest": row.log_digest, "ruleset": row.ruleset, "ladder": row.ladder_ruleset}
    due = {
        "digest": summary.digest,
        "log_digest": summary.digest,
        "ruleset": summary.ruleset,
        "ladder": summary.ruleset,
    }
    yield from compare(GAME, _named(row), stored, due)


def _compare_seats(row: Accepted, summary: RecordSummary) -> Iterator[Flaw]:
    for seat, due in zip(row.seats, seats_on_record(row, summary), strict=True):
        stored = {"letter": seat.letter, "player": seat.player, "place": seat.place}
        yield from compare(SEATING, {**_named(row), "seat": seat.seat}, stored, due)


def seats_on_record(row: Accepted, summary: RecordSummary) -> list[dict[str, Any]]:
    """Return the seatings that follow from a record; for pseudonyms the stored seatings are trusted."""
    seats = zip(row.seats, summary.letters, summary.names, summary.places, strict=True)
    return [
        {"letter": letter, "player": _player(seat, name, summary.source), "place": place}
        for seat, letter, name, place in seats
    ]


def _player(seat: Seated, name: str, source: str) -> int:
    if seat.pseudonym or _is_named(seat, name, source):
        return seat.player
    found = Player.objects.filter(source=source, name=name).values_list("pk", flat=True).first()
    return found or seat.player


def replayed(row: Accepted) -> Iterator[Flaw]:
    """Yield the flaws that replaying a record finds."""
    found = verify(Record(game=1, line=1, form="text", data=(row.text or "").encode()))
    result = tuple([seat.place for seat in row.seats])
    stored = {"verdict": VERIFIED, "places": result, "text": row.record_digest}
    due = {
        "verdict": found.verdict,
        "places": tuple(found.outcome.placements) if found.outcome else (),
        "text": found.record_digest,
    }
    yield from compare(RECORD, _named(row), stored, due)


Repaired = tuple[Accepted, RecordSummary, list[tuple[Seated, dict[str, Any]]]]


def repaired(rows: Iterable[Accepted]) -> Iterator[Repaired]:
    """Yield the games with stored values that differ from their records, and the seats that differ."""
    for row in rows:
        found, _ = read(row)
        if found:
            summary = summarize(row.text or "")
            yield row, summary, list(zip(row.seats, seats_on_record(row, summary), strict=True))
