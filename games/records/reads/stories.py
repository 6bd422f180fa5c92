"""Reading the story of a game, and positions of it that are looked at closer or played on from."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from engine.agn.log import Record
from engine.drafting.writing import compose
from engine.replay import Replay
from engine.ruleset import IllegalMoveError, RuleError
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


class PlayedOnError(Exception):
    """An action of a branch is not legal; `at` is its place among them."""

    def __init__(self, at: int, token: str, error: RuleError) -> None:
        super().__init__(str(error))
        self.at, self.token, self.error = at, token, error


def played_on(replay: Replay[Any, Any], ply: int, play: Sequence[str]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return the positions up to a ply of a replay and after each of some other actions, and all the actions.

    :raises PlayedOnError: at the first that is not legal.
    """
    states, tokens = list(replay.states[: ply + 1]), list(replay.actions[:ply])
    for at, token in enumerate(play):
        try:
            states.append(_after(replay, states[-1], token))
        except RuleError as error:
            raise PlayedOnError(at, token, error) from None
        tokens.append(token)
    return tuple(states), tuple(tokens)


def _after(replay: Replay[Any, Any], state: Any, token: str) -> Any:  # noqa: ANN401 (any game's position)
    ruleset = replay.ruleset
    if ruleset.to_act(state) is None:
        raise IllegalMoveError("AGN-MOVE-4", "The game already ended with the previous action.")
    return ruleset.apply(state, ruleset.parse_action(token))


def text_of(replay: Replay[Any, Any], tokens: Sequence[str]) -> str:
    """Return a record's text up to some actions, as the score sheet opens it."""
    return compose({**replay.tags, "Result": "*"}, tokens, {})


__all__ = ["PlayedOnError", "names_of", "played_on", "story_of_log", "text_of"]
