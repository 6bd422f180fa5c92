"""What another site's page contains to show a game."""

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext

from games.models import Game

SIZE = 640, 560
"""Width and height that are proposed for the frame, in pixels."""


def title_of(game: Game) -> str:
    """Return the names of who played; the key of a game that seats nobody."""
    names = ", ".join(seating.player.name for seating in game.seatings.all())
    return names or f"{gettext('Game')} {game.key}"


def embed_code(key: str, *, title: str, ply: int | None = None, width: int = SIZE[0], height: int = SIZE[1]) -> str:
    """Return the HTML with which another page shows a game; the title is already escaped."""
    query = "" if ply is None else f"?ply={ply}"
    address = f"{settings.SITE_URL}{reverse('game-embed', args=[key])}{query}"
    return (
        f'<iframe src="{address}" width="{width}" height="{height}" title="{title}" '
        'loading="lazy" style="border:0;max-width:100%"></iframe>'
    )
