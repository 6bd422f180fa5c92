"""What another site's page contains to show a game."""

from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext

from games.models import Game

SIZE = 640, 560
"""Width and height that are proposed for the frame, in pixels."""


def title_of(game: Game) -> str:
    """Return the names of who played; the key of a game that seats nobody."""
    names = ", ".join(seating.player.name for seating in game.seatings.all())
    return names or f"{gettext('Game')} {game.key}"


def embed_code(
    key: str, *, title: str, ply: int | None = None, theme: str = "", width: int = SIZE[0], height: int = SIZE[1]
) -> str:
    """Return the HTML with which another page shows a game; the title is already escaped.

    :param theme: ``"light"`` or ``"dark"``; empty for the one of the reader.
    """
    asked = {name: value for name, value in (("ply", ply), ("theme", theme or None)) if value is not None}
    address = f"{settings.SITE_URL}{reverse('game-embed', args=[key])}{f'?{urlencode(asked)}' if asked else ''}"
    return (
        f'<iframe src="{escape(address)}" width="{width}" height="{height}" title="{title}" '
        'loading="lazy" style="border:0;max-width:100%"></iframe>'
    )
