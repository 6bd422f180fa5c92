"""Summarises a record without replaying it: who sat where, the result, and its digests."""

from dataclasses import dataclass

from engine.agn.canonical import game_digest, record_digest
from engine.agn.log import Record
from engine.agn.names import name_key, site_of
from engine.agn.reading import NUMBER, parse
from engine.registry import find_ruleset


@dataclass(frozen=True, slots=True)
class RecordSummary:
    """The summary of a canonical record. The tuples are in seat order."""

    ruleset: str
    letters: tuple[str, ...]
    names: tuple[str, ...]
    source: str
    """Where the names are used: the Site tag. Names and source are as they are looked up."""
    places: tuple[int, ...]
    digest: str
    """The game digest."""
    record_digest: str


def summarize(text: str) -> RecordSummary:
    """Parse a canonical text. :raises ValueError: when it is not one, or has no result."""
    log = parse(Record(game=1, line=1, form="text", data=text.encode()))
    ruleset = find_ruleset(log.tags)
    letters = tuple(log.tags.get("Seats", "").split(" "))
    if not {seat.letter for seat in ruleset.seats}.issuperset(letters) or not log.tokens:
        raise ValueError("no seats, or no words")
    *tokens, result = log.tokens
    actions = [token for token in tokens if token[-1] != "." or NUMBER.fullmatch(token) is None]
    return RecordSummary(
        ruleset=ruleset.slug,
        letters=letters,
        names=tuple([name_key(log.tags.get(ruleset.seat(letter).tag, "")) for letter in letters]),
        source=site_of(log.tags),
        places=tuple(map(int, result.split("-"))),
        digest=game_digest(log.tags, " ".join(actions), result),
        record_digest=record_digest(text),
    )
