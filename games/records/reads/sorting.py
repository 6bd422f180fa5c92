"""What lists of games can be sorted by."""

from dataclasses import dataclass, field
from typing import Final

from django.db.models import F, Q, QuerySet

from engine.words import Words, words
from games.models import Game


@dataclass(frozen=True, slots=True)
class Sort:
    """A sequence of games, always the most of something first, and the newest of those that are equal."""

    key: str
    """What an address and the API call it."""
    label: Words
    """What is sorted by, as a choice and as the head of a column."""
    measure: str
    """The lookup of its value from a game."""
    row: str = "pk"
    """The lookup of the game's number in the table that has the value, so that both come from one index."""
    only: Q = field(default_factory=Q)
    """Which games have a value; others are left out."""
    about: Words | None = None
    """What the value means, and which games are left out."""
    percent: bool = False

    def sorted_by(self, games: "QuerySet[Game]") -> "QuerySet[Game]":
        """Return the games that have a value, each with it as `measure` and its number there as `row`; in no order."""
        return games.filter(self.only).annotate(measure=F(self.measure), row=F(self.row))


NEWEST: Final = "newest"
SORTS: Final = {
    sort.key: sort
    for sort in (
        Sort(NEWEST, words("Newest"), "received_at"),
        Sort("length", words("Length"), "plies"),
        Sort(
            "lead_changes",
            words("Lead changes"),
            "happened__lead_changes",
            "happened__game",
            Q(happened__lead_changes__isnull=False),
            words("How often somebody took the lead from another player."),
        ),
        Sort(
            "closeness",
            words("Closeness"),
            "happened__closeness",
            "happened__game",
            Q(happened__closeness__isnull=False),
            words(
                "The runner-up’s points, ants or cards as a share of the winner’s. "
                "Only games that were played to the end."
            ),
            percent=True,
        ),
        Sort(
            "rating",
            words("Rating"),
            "acceptances__rating",
            "acceptances__game",
            Q(acceptances__ladder__club=None, acceptances__counts=True, acceptances__rating__isnull=False),
            words("The mean rating of the players before the game. Only rated games."),
        ),
        Sort(
            "comments",
            words("Comments"),
            "comment_count",
            only=Q(comment_count__gt=0),
            about=words("Only games with comments."),
        ),
    )
}
"""By key."""


__all__ = ["NEWEST", "SORTS", "Sort"]
