"""A game in a frame on another site's page: the board, who played, and steps that are links."""

from dataclasses import dataclass

from django.conf import settings
from django.http import Http404

from engine.scene import svg, union
from games.models import Game
from games.records.reads import pictures
from games.records.reads.visibility import NOBODY
from games.sentences import translated
from games.web.boards import Drawn, drawn
from games.web.parameters import ply_from
from games.web.rows import GameRow, SeatShown, row_of, without_places

THEMES = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Embed:
    """What the frame shows."""

    row: GameRow
    seats: tuple[SeatShown, ...]
    """Who played; the places are shown with the last position."""
    ply: int
    last: int
    board: Drawn
    caption: str
    theme: str
    """Empty: as the reader's system has it."""
    url: str
    """The game's own page, at this ply."""

    @property
    def is_first(self) -> bool:
        """Return whether the first position is shown."""
        return self.ply == 0

    @property
    def is_last(self) -> bool:
        """Return whether the last position is shown."""
        return self.ply == self.last

    @property
    def previous(self) -> int:
        """Return the ply before this one."""
        return self.ply - 1

    @property
    def next(self) -> int:
        """Return the ply after this one."""
        return self.ply + 1

    @property
    def suffix(self) -> str:
        """Return what the addresses of other plies end with, so that the theme stays."""
        return f"&theme={self.theme}" if self.theme else ""


def embed(game: Game, ply: str, theme: str) -> Embed:
    """Return a game as a frame shows it to everybody: at the ply that is asked for, or at its beginning.

    :raises Http404: when nothing of it could be played.
    """
    scenes = pictures.scenes_of(game, NOBODY)
    if not scenes:
        raise Http404
    last = len(scenes) - 1
    at = ply_from(ply, last, otherwise=0)
    row = row_of(game)
    return Embed(
        row=row,
        seats=row.seats if at == last else without_places(row.seats),
        ply=at,
        last=last,
        board=drawn(svg(scenes[at], union(scenes), translate=translated)),
        caption=scenes[at].caption.render(translated),
        theme=theme if theme in THEMES else "",
        url=f"{settings.SITE_URL}{game.get_absolute_url()}?ply={at}",
    )
