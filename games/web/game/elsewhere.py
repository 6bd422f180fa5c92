"""A position in other games: how many reached it, how they ended, and what was played next."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from engine.replay import Replay
from games.models import Game
from games.records.reads.embedding import title_of
from games.records.reads.visibility import Viewer
from games.search.reads.positions import Games, other_games, position_at
from games.sentences import translated


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """The mean place of a seat."""

    letter: str
    colour: str
    place: float


@dataclass(frozen=True, slots=True)
class PlayedShown:
    """An action that was played."""

    token: str
    says: str
    games: int


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
    places: tuple[SeatPlace, ...]
    played: tuple[PlayedShown, ...]
    played_in: int
    """In how many games, the newest, what was played was looked up."""
    games: tuple[GameShown, ...]
    all: str
    """The list of all games that reached it."""


def elsewhere(game: Game, replay: Replay[Any, Any], ply: int, viewer: Viewer) -> Elsewhere:
    """Return what is shown about other games that reached the position at a ply."""
    position = position_at(game, replay, ply)
    found = other_games(position, viewer)
    return Elsewhere(
        count=found.count,
        more=found.more,
        places=tuple(_places(replay, found)),
        played=tuple(PlayedShown(one.token, one.says.render(translated), one.games) for one in found.played),
        played_in=len(found.newest),
        games=tuple(
            GameShown(title_of(hit.game), hit.game.result, f"{hit.game.get_absolute_url()}?ply={hit.ply}")
            for hit in found.newest[:SHOWN]
        ),
        all=f"{reverse('games')}?position={position.written}",
    )


SHOWN = 5
"""Games that are listed; a link leads to all."""


def _places(replay: Replay[Any, Any], found: Games) -> list[SeatPlace]:
    letters = replay.tags["Seats"].split(" ")
    seats = zip(letters, found.places, strict=False)
    return [SeatPlace(letter, replay.ruleset.seat(letter).colour, place) for letter, place in seats]
