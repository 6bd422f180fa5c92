"""A position in other games: how many reached it, how they ended, and what was played next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from engine.replay import Replay
from engine.replay.positions import state_at
from engine.scene import Scene
from games.models import Game
from games.platform.patience import TooSlowError
from games.records.reads.embedding import title_of
from games.records.reads.visibility import Viewer
from games.search.reads.places import UNFINISHED, finished, wins
from games.search.reads.positions import Continuation, other_games, position_at
from games.search.reads.progress import index_progress
from games.sentences import translated
from games.web.boards import Drawn, drawn, small_boards
from games.web.links import Link


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """The mean place of a seat."""

    letter: str
    colour: str
    place: float


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How the games ended for a seat."""

    letter: str
    colour: str
    won: int
    """Games that it won alone."""
    place: float
    """Its mean place in those that ended."""


@dataclass(frozen=True, slots=True)
class PlayedShown:
    """An action that was played."""

    token: str
    sentence: str
    games: int
    places: tuple[SeatPlace, ...]
    board: Drawn
    """The position to which it leads."""


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game that reached the position."""

    title: str
    result: str
    url: str


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What a game's page shows about a position in other games."""

    count: int
    more: bool
    ended: tuple[SeatResult, ...]
    """How the games ended for each seat; empty if no game ended."""
    shared: int
    """How many ended with several in first place."""
    unfinished: int
    drawings: Drawn
    """What the boards of the actions have in common."""
    played: tuple[PlayedShown, ...]
    played_in: int
    """In how many games, the newest, what was played was looked up."""
    games: tuple[GameShown, ...]
    players: tuple[Link, ...]
    """For each player of the game a list of their games that reached it."""
    all: str
    """The list of all games that reached it."""
    waiting: int = 0
    """Games verified lately that are not searched yet."""
    progress: int | None = None
    """How much of the index is built, in percent; none where all games are found."""
    refused: str = ""
    """Why the games were not found, if so."""

    @property
    def played_in_all(self) -> bool:
        """Return whether what was played was looked up in all of them, and there are several."""
        return self.played_in == self.count > 1


def elsewhere(game: Game, replay: Replay[Any, Any], ply: int, viewer: Viewer) -> Elsewhere:
    """Return what is shown about other games that reached the position at a ply."""
    position = position_at(game, replay, ply)
    listed = f"{reverse('games')}?position={position.written}"
    try:
        found = other_games(position, viewer)
    except TooSlowError as error:
        return Elsewhere(0, False, (), 0, 0, drawn(""), (), 0, (), (), listed, refused=error.sentence)
    results = dict(found.endings)
    won, ended = wins(results), finished(results)
    played = found.played[:ACTIONS]
    drawings, boards = small_boards(list(_after(replay, ply, played)), prefix="e-")
    return Elsewhere(
        count=found.count,
        more=found.more,
        ended=tuple(
            SeatResult(seat.letter, seat.colour, games, seat.place)
            for seat, games in zip(_places(replay, found.places), won, strict=True)
        ),
        shared=ended - sum(won) if won else 0,
        unfinished=results.get(UNFINISHED, 0),
        drawings=drawings,
        played=tuple(_played(replay, one, board) for one, board in zip(played, boards, strict=True)),
        played_in=found.played_in,
        games=tuple(
            GameShown(title_of(hit.game), hit.game.result, f"{hit.game.get_absolute_url()}?ply={hit.ply}")
            for hit in found.newest[:SHOWN]
        ),
        players=tuple(
            Link(seating.player.name, f"{listed}&{urlencode({'player': f'#{seating.player_id}'})}")
            for seating in game.seatings.all()
        ),
        all=listed,
        waiting=found.waiting,
        progress=index_progress(),
    )


ACTIONS = 12
"""Actions that are listed, the most frequent ones."""
SHOWN = 5
"""Games that are listed; a link leads to all."""


def _played(replay: Replay[Any, Any], one: Continuation, board: Drawn) -> PlayedShown:
    return PlayedShown(one.token, one.sentence.render(translated), one.games, tuple(_places(replay, one.places)), board)


def _after(replay: Replay[Any, Any], ply: int, played: Sequence[Continuation]) -> Iterator[Scene]:
    """Yield the positions to which actions lead from the one at a ply."""
    ruleset, state = replay.ruleset, state_at(replay, ply)
    for one in played:
        action = ruleset.parse_action(one.token)
        yield ruleset.shown.scene(ruleset.apply(state, action), state, action, token=one.token)


def _places(replay: Replay[Any, Any], places: Sequence[float]) -> list[SeatPlace]:
    letters = replay.tags["Seats"].split(" ")
    seats = zip(letters, places, strict=False)
    return [SeatPlace(letter, replay.ruleset.seat(letter).colour, place) for letter, place in seats]
