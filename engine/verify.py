"""Verifies records: whether each is a legal game with the right result, or what is the first fault."""

import io
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from engine.agn.canonical import record_digest
from engine.agn.cut import Stream, cut
from engine.agn.log import AgnError, Record
from engine.agn.reading import read_head
from engine.agn.tags import check_tags, refused_line, refused_value
from engine.dealing import Dealing, check_dealing
from engine.registry import find_ruleset
from engine.replay import COMPILED, Fault, Replay, fault_of, replay, replay_written, with_hidden
from engine.ruleset import Outcome, Ruleset, TagError

ENGINE_VERSION = "7"
"""Changes whenever a verdict, or what is stored with it, could change; every stored verdict names it."""

VERIFIED, UNFINISHED, REJECTED = "verified", "unfinished", "rejected"
_make = tuple.__new__


class Verdict(NamedTuple):
    """The verdict on one record; the last six fields are set unless it was rejected."""

    record: Record
    verdict: str
    fault: Fault | None
    ruleset: Ruleset[Any, Any] | None
    """The rules by which it was judged, as far as the tags name them rightly."""
    replay: Replay[Any, Any] | None
    """The legal prefix; none when the fault is in the tags or in the text as a whole."""
    outcome: Outcome | None = None
    digest: str | None = None
    """The game digest: what two records of the same game have in common."""
    record_digest: str | None = None
    likeness: str | None = None
    """What the same play has in common with itself written otherwise: turned, mirrored, in other colours."""
    text: str | None = None
    """The canonical text."""
    dealing: Dealing | None = None
    """Whether its deal is the one that follows from its tags; none for a record that does not mention a deal."""

    @property
    def plies(self) -> int | None:
        """The number of actions; None if the record was rejected."""
        return self.replay.plies if self.replay and not self.fault else None

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as the command line prints it (the record format's last section)."""
        fault = self.fault
        return {
            "game": self.record.game,
            "verdict": self.verdict,
            "rule": fault and fault.rule,
            "line": fault and fault.line,
            "column": fault and fault.column,
            "ply": fault and fault.ply,
            "token": fault and fault.token,
            "message": fault and fault.message,
            "legal": list(fault.legal) if fault and fault.legal is not None else None,
            "placements": list(self.outcome.placements) if self.outcome else None,
            "plies": self.plies,
            "digest": self.digest,
            "record_digest": self.record_digest,
            "likeness": self.likeness,
            "dealing": self.dealing and self.dealing.as_json(),
        }


def verify_file(stream: Stream, day: date | None = None) -> Iterator[Verdict]:
    """Return the verdict on every record of a file, in bounded memory.

    :param day: that of the verdict, where it is known: later dates are a fault (AGN-TAG-6).
    """
    return map(verify, cut(stream) if day is None else (record._replace(day=day) for record in cut(stream)))


def verify_bytes(data: bytes, day: date | None = None) -> list[Verdict]:
    """Return the verdict on every record in some bytes, as `verify_file` does."""
    return list(verify_file(io.BytesIO(data), day))


def verify(record: Record) -> Verdict:
    """Return the verdict on one record."""
    found = _read(record)
    return found if isinstance(found, Verdict) else _judge(record, found)


def replay_of_legal(record: Record) -> Replay[Any, Any] | None:
    """Return the replay in the verdict on a record, without what else the verdict says; none if it is rejected."""
    found = _read(record)
    return None if isinstance(found, Verdict) or found.fault else found


def _read(record: Record) -> Verdict | Replay[Any, Any]:
    """Return what was played; the verdict on a record whose actions cannot be read."""
    ruleset = None
    try:
        head = read_head(record)
    except AgnError as error:
        return Verdict(record, REJECTED, fault_of(error, error.place, written=refused_line(record, error)), None, None)
    try:
        ruleset = find_ruleset(head.tags)
        seat_tags = check_tags(head.tags, ruleset, None if record.was_legal else record.day)
        start = ruleset.initial(head.tags)
    except TagError as error:
        written = refused_value(head.tags, error)
        place = head.log().tag_place(error.tag)
        return Verdict(record, REJECTED, fault_of(error, place, written=written), ruleset, None)
    played = replay_written(ruleset, start, head, seat_tags) if COMPILED else None
    return played or replay(ruleset, start, head.log(), seat_tags, head.heading)


def _judge(record: Record, played: Replay[Any, Any]) -> Verdict:
    if played.fault:
        hides = record.form == "text" and b";" in record.data
        fault = with_hidden(played.fault, played.ruleset, read_head(record)) if hides else played.fault
        return Verdict(record, REJECTED, fault, played.ruleset, played)
    outcome = played.ruleset.outcome(played.last)
    text = played.text()
    dealing = check_dealing(played.ruleset, played.tags, played.written, over=outcome is not None)
    digests = played.digest(), record_digest(text), played.likeness()
    verdict = VERIFIED if outcome else UNFINISHED
    return _make(Verdict, (record, verdict, None, played.ruleset, played, outcome, *digests, text, dealing))
