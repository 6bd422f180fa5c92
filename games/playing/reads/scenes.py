"""The scenes of a game at a table, one for each ply, continued from the last one that was requested."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from engine.agn.administrative import administer, parse_administrative
from engine.registry import ruleset_by_slug
from engine.ruleset import Ruleset
from engine.scene.values import Scene
from engine.shown import Headings
from games.models import Table
from games.playing.reads.position import tags_of

_MOST = 256
"""Games whose last scene is kept."""


@dataclass(frozen=True, slots=True)
class Step:
    """A scene, and the one before it; the first of a game has none before."""

    before: Scene | None
    after: Scene


@dataclass(frozen=True, slots=True)
class _Last:
    """A game's state after some actions."""

    tokens: tuple[str, ...]
    state: Any
    headings: Headings
    """Which way pieces look: as they turned last."""
    step: Step


class _Games:
    """A cache of the last scene of recent games, by everything from which it follows."""

    def __init__(self) -> None:
        self._games = OrderedDict[tuple[str, ...], _Last]()
        self._lock = Lock()

    def find(self, start: tuple[str, ...]) -> _Last | None:
        with self._lock:
            return self._games.get(start)

    def keep(self, start: tuple[str, ...], last: _Last) -> None:
        with self._lock:
            self._games[start] = last
            self._games.move_to_end(start)
            if len(self._games) > _MOST:
                self._games.popitem(last=False)


_GAMES = _Games()


def steps(table: Table, tokens: Sequence[str], after: int) -> list[Step]:
    """Return the scenes of a game after so many actions and of all following ones, in order.

    :param tokens: all actions of the game, in order.
    :param after: of how many actions the first scene is; 0: the one before any.
    """
    ruleset, start = ruleset_by_slug(table.ruleset), (table.ruleset, table.key, *tags_of(table).values())
    last = _GAMES.find(start)
    if last is None or len(last.tokens) > after or tuple(tokens[: len(last.tokens)]) != last.tokens:
        last = _begun(ruleset, tags_of(table))
    found = [last.step] if len(last.tokens) == after else []
    for token in tokens[len(last.tokens) :]:
        last = _next(ruleset, last, token)
        if len(last.tokens) >= after:
            found.append(last.step)
    _GAMES.keep(start, last)
    return found


def _begun(ruleset: Ruleset[Any, Any], tags: dict[str, str]) -> _Last:
    state = ruleset.initial(tags)
    headings = ruleset.shown.headings({}, state, None, None)
    return _Last((), state, headings, Step(None, ruleset.shown.scene(state, headings=headings)))


def _next(ruleset: Ruleset[Any, Any], last: _Last, token: str) -> _Last:
    said = parse_administrative(token)
    action = None if said else ruleset.parse_action(token)
    state = administer(ruleset, last.state, said) if said else ruleset.apply(last.state, action)
    headings = ruleset.shown.headings(last.headings, state, last.state, action)
    scene = ruleset.shown.scene(state, last.state, action, token=token, headings=headings)
    return _Last((*last.tokens, token), state, headings, Step(last.step.after, scene))
