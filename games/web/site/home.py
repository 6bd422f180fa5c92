"""What the first page shows."""

from dataclasses import dataclass, replace
from datetime import datetime

from engine.registry import ruleset_by_slug
from engine.scene import svg
from engine.words import NOTHING_SAID, words
from games.models import Game, Table
from games.playing.reads.lists import table_on_show
from games.playing.reads.telling import scene_seen
from games.records.reads import replays
from games.records.reads.games import latest_games, newest_verified
from games.records.reads.visibility import NOBODY
from games.sentences import translated
from games.web.boards import Drawn, drawn
from games.web.labels import COLOURS
from games.web.ladders.lines import LadderTop, tops
from games.web.rows import GameRow, row_of, rows_of

_LATEST = 8
_TOP = 5


@dataclass(frozen=True, slots=True)
class Featured:
    """The newest verified game, at its end."""

    row: GameRow
    board: Drawn


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays in a game that goes on."""

    letter: str
    colour: str
    colour_word: str
    name: str
    is_bot: bool
    place: None = None


@dataclass(frozen=True, slots=True)
class Moving:
    """A game that is being played, as it is now."""

    table: Table
    seats: tuple[Player, ...]
    board: Drawn


@dataclass(frozen=True, slots=True)
class HomePage:
    """All that the first page shows."""

    moving: Moving | None
    featured: Featured | None
    """The newest game, while none is being played."""
    latest: tuple[GameRow, ...]
    ladders: tuple[LadderTop, ...]


def home_page(*, now: datetime) -> HomePage:
    """Return all that the first page shows."""
    moving = _moving(table_on_show(now=now))
    newest = None if moving else newest_verified()
    return HomePage(
        moving=moving,
        featured=_featured(newest) if newest else None,
        latest=tuple(rows_of(latest_games(_LATEST))),
        ladders=tuple(tops(_TOP)),
    )


def _moving(table: Table | None) -> Moving | None:
    scene = scene_seen(table) if table else None
    if table is None or scene is None:
        return None
    return Moving(
        table, _players(table), drawn(svg(replace(scene, text=NOTHING_SAID), prefix="live-", translate=translated))
    )


def _players(table: Table) -> tuple[Player, ...]:
    """Return who sits at a table, in turn order."""
    ruleset, by_letter = ruleset_by_slug(table.ruleset), {seat.letter: seat for seat in table.seats.all()}
    return tuple(
        Player(seat.letter, colour, str(COLOURS[colour]), seat.name, bool(seat.bot))
        for seat in map(by_letter.__getitem__, table.seats_line.split(" "))
        for colour in [ruleset.seat(seat.letter).colour]
    )


def _featured(game: Game) -> Featured | None:
    played = replays.replay_of(replays.first_log(game, NOBODY)).replay
    if played is None:
        return None
    # The link around it is labelled; the board as text would only disturb screen readers.
    scene = replace(played.ruleset.scene(played.last), caption=words("Final position"), text=NOTHING_SAID)
    return Featured(row_of(game), drawn(svg(scene, prefix="featured-", translate=translated)))
