"""Reading a game's replay: its first log, read through the engine once more, which takes a millisecond or two."""

from functools import lru_cache

from engine.agn.log import Record
from engine.verify import Verdict as Judgement
from engine.verify import verify
from games.models import Game, MoveLog

_KEPT = 32
"""Replays that a process keeps, since a reader steps through one for a while."""


def first_log(game: Game) -> MoveLog:
    """The log in which a game was first handed in."""
    log = game.logs.order_by("pk").first()
    if log is None:
        raise MoveLog.DoesNotExist(f"game {game} has no log")
    return log


def replay_of(log: MoveLog) -> Judgement:
    """What the engine reads in a log: its replay up to the end or to the first fault."""
    return _read(log.number, log.line, log.form, bytes(log.data), log.too_long)


@lru_cache(maxsize=_KEPT)
def _read(number: int, line: int, form: str, data: bytes, too_long: bool) -> Judgement:  # noqa: FBT001 (a key)
    return verify(Record(number, line, form, data, too_long))
