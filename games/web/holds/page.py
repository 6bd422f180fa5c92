"""The page of a game that waits, beside the earlier game of the same play if that is the reason."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from engine.scene import svg, union
from games.holds.reads.holds import acceptances_for, game_before
from games.models import Acceptance, Flag, Game
from games.platform.roles import is_moderator
from games.records.reads import replays
from games.records.reads.games import logs_of
from games.records.reads.titles import ladder_title
from games.records.reads.visibility import Viewer
from games.sentences import translated
from games.web.boards import Drawn, drawn
from games.web.game.replay import MovesPage, moves_page
from games.web.links import Link, link_to_game
from games.web.moderation.cases import FlagCase, flag_cases
from games.web.rows import GameRow, row_of

_UPLOADS = 20
"""Uploads of a game that are listed."""


@dataclass(frozen=True, slots=True)
class UploadShown:
    """Who uploaded a game, and when."""

    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Side:
    """One of two games."""

    link: Link
    row: GameRow
    board: Drawn | None
    """How it ended."""
    moves: MovesPage | None
    """The first of them."""
    uploads: tuple[UploadShown, ...]
    state: str
    """Its state on this ladder: `counts`, `annulled`, `unrated` or `waits`."""


@dataclass(frozen=True, slots=True)
class HoldPage:
    """A flag, with the games that it is about."""

    flag: FlagCase
    ladder: str
    """The ladder for which the game waits; empty where it counts already."""
    sides: tuple[Side, ...]
    """The game, and the one of the same play that came before."""


def hold_page(flag: Flag, reader: Viewer) -> HoldPage:
    """Return a flag as the one who settles it sees it."""
    (case,) = flag_cases([flag])
    before = game_before(flag) if flag.kind == Flag.Kind.LIKENESS else None
    shown = before is not None and (not before.private or is_moderator(reader))
    games = [flag.game, before] if before and shown else [flag.game]
    placed = acceptances_for(flag, games)
    sides = tuple(_side(game, placed.get(game.pk), flag, reader) for game in games)
    return HoldPage(case, ladder_title(flag.ladder) if flag.ladder else "", sides)


def _side(game: Game, acceptance: Acceptance | None, flag: Flag, reader: Viewer) -> Side:
    found = logs_of(game, reader).rows
    played = replays.replay_of(found[0].log).replay if found else None
    scenes = replays.film_of(found[0].log) if found and played else []
    uploads = [one.log.upload for one in found[:_UPLOADS]]
    return Side(
        link=link_to_game(game),
        row=row_of(game),
        board=drawn(svg(scenes[-1], union(scenes), translate=translated)) if scenes else None,
        moves=moves_page(played, 0) if played else None,
        uploads=tuple(
            UploadShown(one.uploader.get_username() if one.uploader else gettext("without an account"), one.received_at)
            for one in uploads
        ),
        state=_state(acceptance, flag, game),
    )


def _state(acceptance: Acceptance | None, flag: Flag, game: Game) -> str:
    if acceptance and acceptance.number:
        return "counts" if acceptance.counts else "annulled"
    left = Flag.objects.filter(game=game, ladder=flag.ladder, unrated=True)
    return "unrated" if left.exists() else "waits"
