"""What a recount would change, before anybody orders it. Writes nothing."""

from dataclasses import dataclass

from django.db import transaction

from engine.fold import Change
from engine.rating import Rating
from games.models import Ladder, Player
from games.services.recounts import Folded, fold_again

MOST = 20_000
"""Later games of a ladder that a preview folds again: about a second."""


@dataclass(frozen=True, slots=True)
class RatingChanged:
    """A player whose rating would be another."""

    ladder: Ladder
    player: Player
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class Preview:
    """What would change."""

    games: int
    """Games that would be rated otherwise, of the first `MOST` looked at."""
    changes: tuple[RatingChanged, ...]
    """Ratings after these games, the largest change first."""
    whole: bool
    """Whether there are no later games than those looked at."""


@transaction.atomic
def preview(change: Change) -> Preview:
    """What a change would make of the ladders that it touches."""
    folded = list(fold_again(change, most=MOST))
    changes = [one for ladder in folded for one in _changes(ladder)]
    changes.sort(key=lambda one: -abs(one.after.value - one.before.value))
    games = sum(len(ladder.changed) for ladder in folded)
    return Preview(games, tuple(changes), whole=all(ladder.whole for ladder in folded))


def _changes(folded: Folded) -> list[RatingChanged]:
    ladder = Ladder.objects.select_related("league").get(pk=folded.ladder)
    players = Player.objects.in_bulk([player for _, player in folded.ratings])
    return [
        RatingChanged(ladder, players[line[1]], folded.told[line], rating)
        for line, rating in folded.ratings.items()
        if folded.told[line] != rating
    ]
