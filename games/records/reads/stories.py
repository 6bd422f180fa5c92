"""Reading the story of a game."""

from functools import lru_cache

from engine.agn.log import Record
from engine.story import Story, story_of
from engine.words import Words
from games.models import Game, MoveLog
from games.records.reads import replays
from games.records.reads.games import names_in_record

_KEPT = 8


def story_of_log(log: MoveLog) -> Story | None:
    """Return the story of a log's replay; none when nothing of it could be played."""
    return _story(replays.record_of(log))


@lru_cache(maxsize=_KEPT)
def _story(record: Record) -> Story | None:
    played, scenes = replays.read_record(record).replay, replays.film_of_record(record)
    return story_of(played.ruleset, played.states, played.actions, scenes) if played else None


def names_of(game: Game, log: MoveLog) -> dict[str, str | Words]:
    """Return what the players of a game are called, by the letters of their seats."""
    played = {seating.letter: seating.player.name for seating in game.seatings.all()}
    names = played or names_in_record(game)
    scenes = replays.film_of(log)
    return {tray.seat: names.get(tray.seat) or tray.name for tray in scenes[0].trays} if scenes else {}
