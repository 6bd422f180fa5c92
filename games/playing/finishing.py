"""The end of a game: its record with the whole deal, submitted like any upload."""

from datetime import datetime
from typing import Any

import structlog
from django.db import transaction

from engine import chance
from engine.agn.canonical import format_tags, order_tags
from engine.registry import ruleset_by_slug
from engine.ruleset import Ruleset, Termination
from games.models import Table, TableAlarm, TableSeat, Upload
from games.players.home import home_source
from games.playing import calls, clocks, dealing, events
from games.playing.reads.position import Position, stored_tokens, tags_of, tokens_of
from games.playing.reads.seats import seats_of
from games.uploads.origin import Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import submit

_log = structlog.get_logger()

_TERMINATIONS = {
    Termination.PLAYED: "normal",
    Termination.RESIGNED: "resigned",
    Termination.TIMED_OUT: "time forfeit",
    Termination.AGREED: "draw agreed",
}
_ABORTED, _UNFINISHED = "aborted", "*"
_DAY = 24 * 60 * 60


def ruleset_of(table: Table) -> Ruleset[Any, Any]:
    """Return the ruleset of a table."""
    return ruleset_by_slug(table.ruleset)


def finish(table: Table, position: Position, *, now: datetime) -> None:
    """Publish the secret and submit the record in the transaction of the last action; the caller holds the lock."""
    announced = table.events.filter(kind="act").order_by("number").values_list("body__token", flat=True)
    if tuple(announced) != stored_tokens(table):
        raise_alarm(table, TableAlarm.Kind.ALTERED, "The stored actions are not those that were announced.", now=now)
    _announce_end(table, now)
    _send(table, position.tokens, now)


def abort(table: Table, *, by: str, now: datetime) -> None:
    """Abort a game in which nobody has moved; the caller holds the lock."""
    table.setup = table.setup or suggested_setup(table)
    table.state, table.ended_at, table.drawn, table.draw_offered = Table.State.ABORTED, now, "", ""
    clocks.stop(table)
    events.append(table, "aborted", {"seat": by}, now=now)
    _announce_end(table, now)
    _send(table, tokens_of(table), now)
    table.save()


def break_off(table: Table, why: str, *, now: datetime) -> None:
    """Abort a game whose stored actions the rules refuse, and alert the operator."""
    raise_alarm(table, TableAlarm.Kind.NOT_VERIFIED, why, now=now)
    table.refresh_from_db()
    abort(table, by="", now=now)


def close(table: Table, *, now: datetime) -> None:
    """Close a table at which no game has begun; its secret is published, too."""
    table.state, table.ended_at, table.opened_from = Table.State.CANCELLED, now, ""
    events.append(table, "cancelled", {"secret": dealing.secret_of(table)}, now=now)
    table.save()


def suggested_setup(table: Table) -> str:
    """Return a setup with the cards dealt, where nobody has laid one."""
    lay = ruleset_of(table).dealer.lay
    return lay(table.hand) if lay else table.setup


def _announce_end(table: Table, now: datetime) -> None:
    body = {
        "state": table.state,
        "placements": table.placements,
        "rule": table.ended or None,
        "termination": table.termination or None,
        "secret": dealing.secret_of(table),
    }
    events.append(table, "ended", body, now=now)


# The record


def record_of(table: Table, tokens: tuple[str, ...]) -> str:
    """Return the record of a game that is over, with its secret."""
    seats, ruleset = seats_of(table), ruleset_of(table)
    names = {ruleset.seat(seat.letter).tag: seat.name for seat in seats}
    result = "-".join(map(str, table.placements)) if table.placements else _UNFINISHED
    tags = tags_of(table) | names | _occasion(table) | _dealing(table, seats) | {"Result": result}
    seat_tags = [ruleset.seat(letter).tag for letter in table.seats_line.split(" ")]
    return f"{format_tags(order_tags(tags, seat_tags))}\n{' '.join([*tokens, result])}\n"


def _occasion(table: Table) -> dict[str, str]:
    how = _TERMINATIONS[Termination(table.termination)] if table.termination else _ABORTED
    begun = table.begun_at or table.opened_at
    tags = {
        "Site": home_source(),
        "UTCDate": f"{begun:%Y.%m.%d}",
        "Date": f"{begun:%Y.%m.%d}",
        "UTCTime": f"{begun:%H:%M:%S}",
        "Table": table.key,
        "Termination": how,
    }
    return tags | ({"TimeControl": time_control(table)} if table.time_kind != Table.Time.NONE else {})


def time_control(table: Table) -> str:
    """Return a table's time as records write it: `900+20` seconds, or `1/259200` for a turn in three days."""
    if table.time_kind == Table.Time.DAYS:
        return f"1/{table.time_base}"
    return f"{table.time_base}+{table.time_step}" if table.time_kind == Table.Time.MINUTES else "-"


def _dealing(table: Table, seats: list[TableSeat]) -> dict[str, str]:
    return {
        "Dealing": chance.VERSION,
        "DealingCommitment": table.commitment,
        "DealingSeats": " ".join(seat.letter for seat in seats),
        "DealingFirst": "drawn" if dealing.first_is_drawn(table) else "chosen",
        "DealingSecret": dealing.secret_of(table),
    } | {f"DealingEntropy{number}": seat.entropy for number, seat in enumerate(seats, 1)}


def _send(table: Table, tokens: tuple[str, ...], now: datetime) -> None:
    """Submit the record like any upload, in the table's transaction, so that it is submitted exactly once."""
    source = Source.of(record_of(table, tokens).encode(), f"{table.key}.agn")
    origin = Origin(Upload.Via.PLAYED, options=UploadOptions(scored=table.rated))
    table.upload = submit(source, origin, now=now).upload
    calls.call_verification()


# Alarms


def raise_alarm(table: Table, kind: TableAlarm.Kind, message: str, *, now: datetime) -> None:
    """Alert the operator: in the log, on the moderators' page, and in the health check."""
    _log.error("played_game.alarm", table=table.key, kind=kind.value, reason=message)
    found = {"message": message[:2000], "raised_at": now}
    TableAlarm.objects.get_or_create(table=table, kind=kind, defaults=found)


@transaction.atomic
def settle_alarm(alarm: TableAlarm, *, by: int, now: datetime) -> None:
    """Store that somebody has looked at an alarm."""
    TableAlarm.objects.filter(pk=alarm.pk, settled_at=None).update(settled_at=now, settled_by=by)
