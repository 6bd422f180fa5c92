"""Previews what a correction would change, without writing anything."""

from dataclasses import dataclass, replace

from django.db import transaction

from engine.fold import Change
from engine.rating import Rating
from games.corrections.rerating import Folded, fold_again
from games.ladders.reads.ladders import rank_at
from games.models import Acceptance, Game, Ladder, Player, Standing
from games.ratings.standings import Line, StandingChanges

MOST = 20_000
"""Later games of a ladder that a preview folds again: about a second."""
RANKED = 25
"""Players whose ranks a preview shows: those whose ratings would change most."""


@dataclass(frozen=True, slots=True)
class RatingChanged:
    """A player whose rating would change."""

    ladder: Ladder
    player: Player
    before: Rating
    after: Rating
    rank_before: int | None = None
    """None where the player has no line then, where there are later games than those looked at, and beyond `RANKED`."""
    rank_after: int | None = None


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
    """Return the effect of a change on the ladders that it touches."""
    folded = list(fold_again(change, most=MOST))
    changes = [one for ladder in folded for one in _changes(ladder)]
    changes.sort(key=lambda one: -abs(one.after.value - one.before.value))
    ranked = [ranked for ladder in folded if ladder.whole for ranked in _ranked(ladder, changes[:RANKED])]
    known = {(one.ladder.pk, one.player.pk): one for one in ranked}
    games = sum(len(ladder.changed) for ladder in folded)
    changes = [known.get((one.ladder.pk, one.player.pk), one) for one in changes]
    return Preview(games, tuple(changes), whole=all(ladder.whole for ladder in folded))


def falling_with(game: Game) -> Acceptance | None:
    """Return the acceptance that would end if a dispute of a game were upheld: the site's, if the game counts there."""
    return game.acceptances.filter(ladder__club=None, number__isnull=False, counts=True).first()


def annulling(acceptance: Acceptance) -> Change:
    """Return the change of annulling a rated game, or of restoring an annulled one."""
    return Change(annulled={acceptance.number or 0: acceptance.counts})


def _changes(folded: Folded) -> list[RatingChanged]:
    ladder = Ladder.objects.select_related("club").get(pk=folded.ladder)
    players = Player.objects.in_bulk([player for _, player in folded.ratings])
    return [
        RatingChanged(ladder, players[line[1]], folded.published[line], rating)
        for line, rating in folded.ratings.items()
        if folded.published[line] != rating
    ]


def _ranked(folded: Folded, changes: list[RatingChanged]) -> list[RatingChanged]:
    """Return the changes on a ladder with the ranks before and after."""
    lines = Standing.objects.filter(ladder=folded.ladder, player__in=[player for _, player in folded.ratings])
    before = {line.player_id: line.value for line in lines}
    games = {line.player_id: line.games for line in lines}
    more = _games_more(folded)
    after = {
        player: rating.value
        for (_, player), rating in folded.ratings.items()
        if games.get(player, 0) + more.get((folded.ladder, player), 0)
    }

    def rank_after(value: float) -> int:
        left: int = sum(other > value for other in before.values())
        arrived = sum(other > value for other in after.values())
        return rank_at(folded.ladder, value) - left + arrived

    return [
        replace(
            one,
            rank_before=rank_at(folded.ladder, before[one.player.pk]) if one.player.pk in before else None,
            rank_after=rank_after(after[one.player.pk]) if one.player.pk in after else None,
        )
        for one in changes
        if one.ladder.pk == folded.ladder
    ]


def _games_more(folded: Folded) -> dict[Line, int]:
    """Return how many more or fewer games would count for each row."""
    counted = StandingChanges()
    for old, new in folded.changed:
        counted.add(folded.ladder, old, new)
    return {line: counts[0] for line, counts in counted.lines.items()}
