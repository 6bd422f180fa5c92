"""The pictures of the games: a part of a board from close by."""

from functools import cache

from engine.scene import svg
from games.records.reads.showcase import picture_of, showcase_called
from games.web.boards import Drawn, drawn


@cache
def picture_called(slug: str) -> Drawn:
    """Return the picture of the game whose rules have a name; empty for one that has none. No words are in it."""
    showcase = showcase_called(slug)
    return drawn(svg(picture_of(showcase), prefix=f"picture-{slug}-") if showcase else "")
