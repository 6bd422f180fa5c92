"""Chooses the game of the day by its story: the same games always give the same choice."""

from datetime import datetime, timedelta

from engine.story import Story
from games.models import Game, GameOfTheDay, MoveLog
from games.records.reads.games import latest_verified
from games.records.reads.replays import first_log, story_of_log
from games.records.reads.visibility import NOBODY

CANDIDATES = 50
"""Of the newest verified games so many are compared."""
AGAIN = timedelta(days=365)
"""A game comes again after a year at the earliest."""
_LONGEST = 1000
"""Actions of a game that can be chosen: longer ones take long to read."""

Score = tuple[int, int, int]


def choose(*, now: datetime) -> GameOfTheDay | None:
    """Choose the game of this day (UTC), once. :returns: the choice; None if there is no game to choose."""
    today = now.date()
    if chosen := GameOfTheDay.objects.filter(day=today).first():
        return chosen
    lately = set(GameOfTheDay.objects.filter(day__gt=today - AGAIN).values_list("game", flat=True))
    newest = [game for game in latest_verified(CANDIDATES) if game.pk not in lately and 0 < game.plies <= _LONGEST]
    logged = set(MoveLog.objects.filter(game__in=newest).values_list("game", flat=True))
    candidates = [game for game in newest if game.pk in logged]
    if not candidates:
        return None
    best = max(candidates, key=lambda game: (_score_of(game), game.key))
    made, _ = GameOfTheDay.objects.get_or_create(day=today, defaults={"game": best, "chosen_at": now})
    return made


def _score_of(game: Game) -> Score:
    story = story_of_log(first_log(game, NOBODY))
    return score(story) if story else (0, 0, 0)


def score(story: Story) -> Score:
    """Return how eventful a game was: how often the lead changed, how many kinds of events there were, and how many."""
    kinds = {moment.event.kind for moment in story.moments}
    return len(story.leads), len(kinds), len(story.moments)
