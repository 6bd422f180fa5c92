"""Reading a game's replay: its first log, replayed by the engine in a millisecond or two."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import lru_cache
from typing import Any

from django.http import Http404
from django.utils.translation import get_language, override

from engine.agn.log import Record
from engine.scene.film import Json, Reel, film, frames
from engine.scene.values import Scene
from engine.story import Story, story_of
from engine.verify import REJECTED, UNFINISHED, VERIFIED, verify
from engine.verify import Verdict as EngineVerdict
from engine.words import Words
from games.models import Game, MoveLog
from games.platform.kept import Kept
from games.records.reads.facts import TELLING_FIRST
from games.records.reads.games import names_in_record
from games.records.reads.visibility import Viewer, records_for
from games.sentences import translated

Scenes = Sequence[Scene] | Reel[Any, Any]

AT_ONCE = 100
"""States or frames of a replay that are asked for at a time."""
_KEPT = 2
"""Frames that a process keeps, each of a part of a game, since a reader steps through one for a while."""
_replays = Kept[Record, EngineVerdict](12_000, lambda read: 1 + (len(read.replay.actions) if read.replay else 0))
"""Replays that a process keeps, and their stories, with so many positions: one can have 5,000, most have 200."""
_stories = Kept[Record, Story](10_000, lambda story: len(story.numbers))
_films = Kept[Record, list[Scene]](6_000, len)
"""Films of replays, with so many scenes: the longest takes some 20 MB, most take one to three."""


class NoLogError(MoveLog.DoesNotExist, Http404):
    """A game has no log, as only rows that were made by hand can be: to readers it is not there."""


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game as a viewer reads it."""

    log: MoveLog
    verdict: EngineVerdict
    """What the engine reads in the log: its replay up to the end or to the first fault."""
    scenes: list[Scene]
    """None when nothing of it could be played; then there is no story, either."""
    story: Story | None


def read_game(game: Game, viewer: Viewer) -> ReadGame:
    """Return a game as its page shows it to a viewer."""
    log = first_log(game, viewer)
    record = record_of(log)
    return ReadGame(log, read_record(record), film_of_record(record), story_of_record(record))


def first_log(game: Game, viewer: Viewer) -> MoveLog:
    """Return the log in which a game is shown: the one that tells its facts, as far as the viewer may read it.

    Without one, the first that they may read, those of public uploads first. A viewer who may read none, but sees the
    game, played in it, or it was made public: then the first of all.

    :raises NoLogError: when it has none.
    """
    logs = MoveLog.objects.filter(game=game).order_by(TELLING_FIRST, "upload__private", "pk")
    log = logs.filter(records_for(game, viewer)).first() or logs.first()
    if log is None:
        raise NoLogError(f"game {game} has no log")
    return log


def parts_of(game: Game, *, played: bool) -> tuple[str, ...]:
    """Return which parts of a game can be downloaded, by their API names; the earlier the fault, the fewer.

    :param played: whether any action is legal.
    """
    if game.verdict == REJECTED:
        return ("log", "states", "frames", "story") if played else ("log",)
    legal = ("log", "states", "frames", "story", "canonical", "record", "seatings")
    return (*legal, "recranks") if game.verdict == VERIFIED else legal


def record_of(log: MoveLog) -> Record:
    """Return a log as the engine reads it, with the day on which it was queued for its verdict."""
    day, was_legal = log.queued_at.astimezone(UTC).date(), log.verdict in (VERIFIED, UNFINISHED)
    return Record(log.number, log.line, log.form, bytes(log.data), log.too_long, day=day, was_legal=was_legal)


def replay_of(log: MoveLog) -> EngineVerdict:
    """Return what the engine reads in a log: its replay up to the end or to the first fault."""
    return read_record(record_of(log))


def replay_once(log: MoveLog) -> EngineVerdict:
    """Return the same without keeping it: a list of games has more of them than there is room for."""
    return verify(record_of(log))


def film_of(log: MoveLog) -> list[Scene]:
    """Return the scenes of a log's replay; none when nothing of it could be played."""
    return film_of_record(record_of(log))


def film_of_record(record: Record) -> list[Scene]:
    """Return the scenes of a record's replay; none when nothing of it could be played."""
    if kept := _films.get(record):
        return kept
    played = read_record(record).replay
    if played is None:
        return []
    return _films.of(record, lambda: film(played.ruleset, played.states, played.actions), weight=len(played.states))


def scenes_of(log: MoveLog) -> Scenes:
    """Return the scenes of a log's replay for a reader of few of them; none when nothing of it could be played.

    They are drawn when they are asked for, unless the whole film is kept.
    """
    return _scenes_of_record(record_of(log))


def _scenes_of_record(record: Record) -> Scenes:
    if kept := _films.get(record):
        return kept
    played = read_record(record).replay
    return Reel(played.ruleset, played.states, played.actions) if played else []


def frames_of(log: MoveLog, start: int) -> list[Json]:
    """Return the frames of a log's replay for stepping, from a ply on, in the reader's language."""
    return _frames_of_record(record_of(log), start, get_language())


@lru_cache(maxsize=_KEPT)
def _frames_of_record(record: Record, start: int, language: str | None) -> list[Json]:
    """Return frames, which are the same for all who may read the record."""
    with override(language):
        scenes = _scenes_of_record(record)
        plies = range(start, min(start + AT_ONCE, len(scenes)))
        return frames((scenes[ply] for ply in plies), start, translated)


def read_record(record: Record) -> EngineVerdict:
    """Return what the engine reads in a record."""
    return _replays.of(record, lambda: verify(record))


def story_of_log(log: MoveLog) -> Story | None:
    """Return the story of a log's replay; none when nothing of it could be played."""
    return story_of_record(record_of(log))


def story_of_record(record: Record) -> Story | None:
    """Return the story of a record's replay; none when nothing of it could be played."""
    if kept := _stories.get(record):
        return kept
    played, scenes = read_record(record).replay, film_of_record(record)
    if played is None:
        return None
    return _stories.of(record, lambda: story_of(played.ruleset, played.states, played.actions, scenes))


def names_of(game: Game, log: MoveLog) -> dict[str, str | Words]:
    """Return what the players of a game are called, by the letters of their seats."""
    played = {seating.letter: seating.player.name for seating in game.seatings.all()}
    names = played or names_in_record(game)
    scenes = scenes_of(log)
    return {tray.seat: names.get(tray.seat) or tray.name for tray in scenes[0].trays} if scenes else {}
