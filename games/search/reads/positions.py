"""The games that reached a position: how they ended, and what was played in it.

The index gives candidates. Those that are shown or counted are replayed and compared by the text of the position, so
that a collision of numbers in the index never shows a wrong game.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, islice
from typing import Any, Final, NamedTuple

from django.db.models import Count, QuerySet

from engine.replay import Replay
from engine.replay.positions import number_of, position_numbers, position_text, state_at
from engine.verify import verify
from engine.words import Words
from games.models import Game
from games.models.records import VerdictKind
from games.platform.errors import RefusedError
from games.platform.patience import TooSlowError, patience
from games.records.reads.conditions import EVENT_FIELDS, events_wanted
from games.records.reads.games import GameFilter, among, find_game_by_key, games_wanted, with_seats
from games.records.reads.replays import first_log, record_of, replay_of
from games.records.reads.visibility import Viewer
from games.search.reads.due import not_searched
from games.search.reads.index import Chosen, Reached, games_that_reached, which_reached
from games.search.reads.logs import logs_of
from games.search.reads.openings import games_opened, named_opening
from games.search.reads.places import UNFINISHED, mean_places

LOOKED_AT: Final = 20
"""Games that are replayed to see what was played: the newest."""
MOST_LEGAL: Final = 120
"""Legal actions of a position up to which it is counted how often each was played in all its games."""
MOST_ACTIONS: Final = 10_000
"""Actions that they may have in all, so that a few of the longest games cost no more than many usual ones."""
_PATIENCE: Final = 3_000
"""Milliseconds that the database may take for a statement about the games that reached a position."""
_DIGITS: Final = 6


class PositionError(RefusedError):
    """A requested position that does not exist, or that the viewer may not see."""

    parameter = "position"


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game."""

    game: Game
    replay: Replay[Any, Any]
    ply: int
    number: int

    @property
    def written(self) -> str:
        """Return it as written in an address, like `k7m2x9ab:12`."""
        return f"{self.game.key}:{self.ply}"


class Ending(NamedTuple):
    """How a group of games ended."""

    result: str
    """The places in turn order, such as `2-1`; `*` of games that did not end."""
    games: int


class Continuation(NamedTuple):
    """An action that was played in the position, written for the orientation of the requested one."""

    token: str
    sentence: Words
    games: int
    places: tuple[float, ...]
    """The mean place of each seat in turn order, of the games that ended; none where none did."""


class Hit(NamedTuple):
    """A game that reached the position."""

    game: Game
    ply: int
    """When it did first."""


@dataclass(frozen=True, slots=True)
class Games:
    """The games that reached a position."""

    count: int
    more: bool
    """Whether there are more than are counted."""
    endings: tuple[Ending, ...]
    """The most frequent first."""
    places: tuple[float, ...]
    """The mean place of each seat in turn order, of the games that ended; none where none did."""
    played: tuple[Continuation, ...]
    """The most frequent first."""
    played_in: int
    """In how many games, the newest, what was played was looked up."""
    newest: tuple[Hit, ...]
    waiting: int
    """Games verified lately that are not searched yet, as `not_searched` counts them."""


def find_position(written: str, viewer: Viewer) -> Position:
    """Return the position named by a game's key and a ply, as in `k7m2x9ab:12`.

    :raises PositionError: when it does not exist or the viewer may not see it.
    """
    key, _, ply = written.partition(":")
    game = find_game_by_key(key, viewer) if key.isascii() and key.isalnum() else None
    if game is None or not (ply.isascii() and ply.isdigit() and len(ply) < _DIGITS):
        raise PositionError(
            "no_position", "{written!r} names no position: expected a game’s key and a ply, such as k7m2x9ab:12.",
            written=written[:40],
        )  # fmt: skip
    replay = replay_of(first_log(game, viewer)).replay
    if replay is None or int(ply) > len(replay.actions):
        raise PositionError(
            "no_position", "Game {key} has no ply {ply}: its last one is {last}.",
            key=game.key, ply=int(ply), last=len(replay.actions) if replay else 0,
        )  # fmt: skip
    return position_at(game, replay, int(ply))


def position_at(game: Game, replay: Replay[Any, Any], ply: int) -> Position:
    """Return the position at a ply of a game."""
    return Position(game, replay, ply, number_of(replay.ruleset, state_at(replay, ply)))


def games_of(wanted: Mapping[str, Any], viewer: Viewer) -> GameFilter:
    """Return a filter of games from a form or an address; `position` and `opening` may name what they reached.

    :raises PositionError: when the position does not exist or the viewer may not see it.
    :raises OpeningError: when there cannot be such an opening.
    :raises TooSlowError: when the games that reached it are not found in time.
    """
    asked = dict(wanted)
    written, named = asked.pop("position", ""), asked.pop("opening", "")
    events = events_wanted(asked)
    for name in chain.from_iterable(EVENT_FIELDS):
        asked.pop(name, None)
    found = GameFilter(**asked, events=events)
    if named:
        opening = named_opening(named)
        found = _reached(found, viewer, lambda games: games_opened(opening, games))
    if written:
        number = find_position(written, viewer).number
        found = _reached(found, viewer, lambda games: games_that_reached(number, _chosen(games)))
    return found


def _reached(wanted: GameFilter, viewer: Viewer, find: "Callable[[QuerySet[Game]], Reached]") -> GameFilter:
    """Return a filter for those games that something finds among those wanted."""
    with patience(_PATIENCE):
        reached = find(games_wanted(wanted, viewer))
    if reached.cut:
        raise TooSlowError
    return replace(wanted, among=reached.games)


def _chosen(games: "QuerySet[Game]") -> Chosen:
    """Return a choice of the games that a query finds."""
    return lambda some: games.filter(among(some)).values_list("pk", flat=True)


@patience(_PATIENCE)
def other_games(position: Position, viewer: Viewer, *, player: str = "") -> Games:
    """Return the other games that reached a position, of those that a viewer may see.

    :param player: whose games alone are wanted, as in `GameFilter`.
    :raises TooSlowError: when they are not found in time.
    """
    wanted = games_wanted(GameFilter(player=player), viewer).exclude(verdict=VerdictKind.REJECTED)
    reached = games_that_reached(position.number, _chosen(wanted.exclude(pk=position.game.pk)))
    if reached.cut:
        raise TooSlowError
    visible = Game.objects.filter(among(reached.games))
    counted = visible.values("result").annotate(count=Count("pk")).order_by("-count", "result")
    endings = tuple(Ending(result or UNFINISHED, count) for result, count in counted.values_list("result", "count"))
    newest = _newest(visible) if endings else []
    hits = list(_confirmed(position, newest))
    if endings and sum(ending.games for ending in endings) == len(newest):
        endings = tuple(Ending(*one) for one in Counter(hit.game.result or UNFINISHED for hit, _ in hits).most_common())
    played = _played_in_all(position, reached.games) if len(reached.games) > len(newest) else None
    return Games(
        count=sum(ending.games for ending in endings),
        more=reached.more,
        endings=endings,
        places=mean_places(dict(endings)),
        played=tuple(_played(position, hits) if played is None else played),
        played_in=len(hits) if played is None else len(reached.games),
        newest=tuple(hit for hit, _ in hits),
        waiting=not_searched(viewer),
    )


def _newest(visible: "QuerySet[Game]") -> list[Game]:
    """Return the newest games, at least one, as many as are replayed."""
    games = list(with_seats(visible).order_by("-pk")[:LOOKED_AT])
    totals = list(accumulate(game.plies for game in games))
    return games[: max(1, bisect_right(totals, MOST_ACTIONS))]


def _confirmed(position: Position, games: Sequence[Game]) -> Iterator[tuple[Hit, int | None]]:
    """Yield the games that really reached a position, each with the number of the next position, if there is one."""
    replays, text = _replays(games), position_text(position.replay, position.ply)
    for game in games:
        replay = replays.get(game.pk)
        numbers = position_numbers(replay) if replay else []
        for ply, number in enumerate(numbers):
            if replay and number == position.number and position_text(replay, ply) == text:
                yield Hit(game, ply), numbers[ply + 1] if ply < len(replay.actions) else None
                break


def _replays(games: Sequence[Game]) -> Mapping[int, Replay[Any, Any]]:
    """Return a replay for each game, of any of its legal records: all have the same actions."""
    found = ((log.game_id, verify(record_of(log)).replay) for log in logs_of(games))
    return {game: replay for game, replay in found if game and replay}


def _played(position: Position, hits: Sequence[tuple[Hit, int | None]]) -> Iterator[Continuation]:
    """Yield the actions that were played, found by the positions to which they led."""
    results = defaultdict[int, list[str]](list)
    for hit, following in hits:
        if following is not None:
            results[following].append(hit.game.result)
    tokens = _tokens(position, frozenset(results)) if results else {}
    for number, found in sorted(results.items(), key=lambda pair: -len(pair[1])):
        if action := tokens.get(number):
            yield Continuation(*action, len(found), mean_places(Counter(found)))


def _played_in_all(position: Position, games: Sequence[int]) -> list[Continuation] | None:
    """Return how often each action was played in games that reached a position; None where there are too many actions.

    Counted by positions: a game in which another action led to the same one later on counts, too.
    """
    legal = islice(position.replay.ruleset.legal_actions(state_at(position.replay, position.ply)), MOST_LEGAL + 1)
    if sum(1 for _ in legal) > MOST_LEGAL:
        return None
    tokens, results = _tokens(position, None), dict(Game.objects.filter(among(games)).values_list("pk", "result"))
    reached = which_reached(tokens.keys(), results.keys())
    found = [(number, [results[game] for game in some]) for number, some in reached.items() if some]
    return [
        Continuation(*tokens[number], len(some), mean_places(Counter(some)))
        for number, some in sorted(found, key=lambda pair: (-len(pair[1]), tokens[pair[0]][0]))
    ]


def _tokens(position: Position, numbers: frozenset[int] | None) -> dict[int, tuple[str, Words]]:
    """Return the legal actions that lead to positions with some numbers, or to any, each with a sentence about it."""
    ruleset, state = position.replay.ruleset, state_at(position.replay, position.ply)
    found = dict[int, tuple[str, Words]]()
    for action in ruleset.legal_actions(state):
        after = ruleset.apply(state, action)
        number = number_of(ruleset, after)
        if number not in found and (numbers is None or number in numbers):
            token = ruleset.format_action(action)
            found[number] = token, ruleset.shown.caption(state, action, after, token)
            if numbers is not None and len(found) == len(numbers):
                break
    return found
