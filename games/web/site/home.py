"""What the first page shows."""

from dataclasses import dataclass, replace

from engine.scene import svg
from engine.words import NOTHING_SAID, words
from games.models import Game
from games.records.reads import replays
from games.records.reads.games import latest_games, newest_verified
from games.records.reads.visibility import NOBODY
from games.sentences import translated
from games.web.boards import Drawn, drawn
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
class HomePage:
    """All that the first page shows."""

    featured: Featured | None
    latest: tuple[GameRow, ...]
    ladders: tuple[LadderTop, ...]


def home_page() -> HomePage:
    """Return all that the first page shows."""
    newest = newest_verified()
    return HomePage(
        featured=_featured(newest) if newest else None,
        latest=tuple(rows_of(latest_games(_LATEST))),
        ladders=tuple(tops(_TOP)),
    )


def _featured(game: Game) -> Featured | None:
    played = replays.replay_of(replays.first_log(game, NOBODY)).replay
    if played is None:
        return None
    # The link around it is labelled; the board as text would only disturb screen readers.
    scene = replace(played.ruleset.scene(played.last), caption=words("Final position"), text=NOTHING_SAID)
    return Featured(row_of(game), drawn(svg(scene, prefix="featured-", translate=translated)))
