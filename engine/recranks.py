"""A finished game in the shape of AbstractPlay's recranks, in which other sites and programs read results.

The shape is described at https://github.com/AbstractPlay/recranks, in `src/schemas/gamerecord.json` (MIT). It has no
place for comments on actions, so they are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine.agn.dates import days_of
from engine.agn.known_tags import SETUP_TAGS
from engine.agn.names import name_key, site_of
from engine.replay import Replay
from engine.verify import Verdict
from engine.words import render

UNKNOWN_SITE = "?"


class RecranksError(ValueError):
    """A record that cannot be written in the recranks shape; `code` says why for programs, the sentence for people."""

    def __init__(self, code: str, template: str, /, **params: object) -> None:
        super().__init__(render(template, params))
        self.code = code
        self.template = template
        self.params = params


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What the record itself does not say: which site keeps it, and under which names."""

    generated: datetime
    site: str = ""
    """Names the service that keeps the record; empty when nobody does, and the record's own tags speak."""
    gameid: str = ""
    """The game's name on that service."""
    userids: Mapping[str, str] = field(default_factory=dict)
    """The players' names on that service, by seat letter."""
    received: datetime | None = None
    """When the service got the record: by then the game was over."""
    rated: bool = True


def recranks(verdict: Verdict, provenance: Provenance) -> dict[str, Any]:
    """Return a verified record in the recranks shape, which keeps all actions and their order.

    :raises RecranksError: when the game is not over, or its date is unknown.
    """
    if verdict.fault:
        raise RecranksError("rejected", "Only legal games have a result; this one breaks {rule} on line {line}.",
                            rule=verdict.fault.rule, line=verdict.fault.line)  # fmt: skip
    if verdict.replay is None or verdict.outcome is None:
        raise RecranksError("unfinished", "Only finished games have a result; this one stops at action {plies}.",
                            plies=verdict.plies)  # fmt: skip
    played, placements = verdict.replay, verdict.outcome.placements
    header = {
        "game": {"name": played.ruleset.game, "variants": [played.ruleset.edition]},
        **_event(played.tags),
        "site": _site(played.tags, provenance),
        **_dates(played.tags, provenance),
        **({} if provenance.rated else {"unrated": True}),
        "players": _players(played, placements, provenance.userids),
        "startingPosition": _start(played),
        "digest": verdict.digest,
    }
    return {"header": header, "moves": _moves(played)}


def _event(tags: Mapping[str, str]) -> dict[str, str]:
    """Return event and round, as they are looked up; the shape requires both or neither."""
    event, number = name_key(tags.get("Event", "")), name_key(tags.get("Round", ""))
    return {"event": event, "round": number} if event and number else {}


def _site(tags: Mapping[str, str], provenance: Provenance) -> dict[str, str]:
    if provenance.site:
        return {"name": provenance.site, "gameid": provenance.gameid}
    own = {"gameid": tags["Id"]} if tags.get("Id") else {}
    return {"name": site_of(tags) or UNKNOWN_SITE, **own}


def _dates(tags: Mapping[str, str], provenance: Provenance) -> dict[str, str]:
    """Return start and end. The shape wants both to the second; a record knows the start at best, so both are equal.

    Where a part of the date is unknown, they are the first and the last possible day.
    """
    start, end, source = _time_of_play(tags, provenance)
    generated = provenance.generated.isoformat(timespec="seconds")
    return {"date-start": start, "date-end": end, "date-generated": generated, "dates-from": source}


def _time_of_play(tags: Mapping[str, str], provenance: Provenance) -> tuple[str, str, str]:
    received, known = provenance.received, (provenance.received or provenance.generated).date()
    dated = [(name, days) for name in ("UTCDate", "Date") if (days := days_of(tags.get(name, ""), known))]
    for name, days in sorted(dated, key=lambda one: one[1].only is None):  # a whole date before a part of one
        time = tags.get("UTCTime", "00:00:00") if name == "UTCDate" and days.only else "00:00:00"
        return f"{days.first.isoformat()}T{time}Z", f"{days.last.isoformat()}T{time}Z", name
    if received is None:
        raise RecranksError("no_date", "A result needs a date, but neither UTCDate nor Date gives the year of play.")
    at = received.isoformat(timespec="seconds")
    return at, at, "received"


def _players(played: Replay[Any, Any], placements: tuple[int, ...], userids: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the players in seat order. A result is the number of players who did worse: 1 and 0 for two."""
    return [
        {
            "name": name,
            **({"userid": userids[letter]} if letter in userids else {}),
            "result": sum(other > place for other in placements),
            "seat": letter,
            "place": place,
        }
        for (letter, name), place in zip(played.names.items(), placements, strict=True)
    ]


def _start(played: Replay[Any, Any]) -> str:
    """Return the tags about the beginning of the game, one a line."""
    return "\n".join(f"{name}: {played.tags[name]}" for name in SETUP_TAGS if name in played.tags)


Row = dict[str, str]
"""What each seat did, by its letter, in the order in which they did it."""


def _moves(played: Replay[Any, Any]) -> list[list[Any]]:
    """Return rounds or pairs of turns with an entry for each seat; a seat that acts again begins a new row."""
    rows: list[Row] = []
    before = None
    for number, letter, plies in played.turns():
        if number != before or letter in rows[-1]:
            rows.append({})
        rows[-1][letter] = " ".join(played.actions[plies.start : plies.stop])
        before = number
    seats = played.tags["Seats"].split(" ")
    return [_in_seat_order(row, seats) for row in rows]


def _in_seat_order(row: Row, seats: list[str]) -> list[Any]:
    """Return one row of moves; if seats acted out of order, each entry has its place in the sequence."""
    if list(row) == [letter for letter in seats if letter in row]:
        return [row.get(letter) for letter in seats]
    sequence = {letter: at for at, letter in enumerate(row, 1)}
    return [{"sequence": sequence[letter], "move": row[letter]} if letter in row else None for letter in seats]
