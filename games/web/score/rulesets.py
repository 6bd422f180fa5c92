"""The games that can be scored, as the page's script reads them."""

from typing import Any

from engine.registry import RULESETS
from games.records.reads.titles import ruleset_title
from games.web.labels import COLOURS

Json = dict[str, Any]


def rulesets_to_score() -> list[Json]:
    """Return every ruleset with its seats and the orders in which they may sit, the fewest players first."""
    return [
        {
            "slug": ruleset.slug,
            "game": ruleset.game,
            "edition": ruleset.edition,
            "title": ruleset_title(ruleset.slug),
            "seats": [
                {"letter": seat.letter, "tag": seat.tag, "colour": seat.colour, "label": str(COLOURS[seat.colour])}
                for seat in ruleset.seats
            ],
            "seatings": _seatings([seat.letter for seat in ruleset.seats], ruleset.seatings),
        }
        for ruleset in RULESETS
    ]


def _seatings(letters: list[str], seatings: frozenset[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Sort lines of seats by their length, then in the order in which the game names its colours."""
    return sorted(seatings, key=lambda line: (len(line), [letters.index(letter) for letter in line]))
