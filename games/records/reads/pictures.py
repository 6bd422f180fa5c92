"""Pictures of games as files: SVG as the engine draws it, and PNG of it."""

from functools import cache
from importlib.resources import files

from resvg_py import svg_to_bytes

from engine.scene import Card, Scene, card, picture, union
from games.models import Game
from games.records.reads import replays
from games.records.reads.visibility import Viewer
from games.sentences import translated


@cache
def _fonts() -> list[str]:
    """Return the fonts of pictures; those of the machine are not used, so that pictures are the same everywhere."""
    return sorted(str(font) for font in files("games").joinpath("fonts").iterdir() if font.name.endswith(".ttf"))


def png(svg: str) -> bytes:
    """Return an SVG, at the size that it states, as a PNG."""
    return bytes(
        svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=_fonts(),
            font_family="Inter",
            sans_serif_family="Inter",
            serif_family="Source Serif 4",
        )
    )


def scenes_of(game: Game, viewer: Viewer) -> list[Scene]:
    """Return the scenes of a game's replay; none when nothing of it could be played."""
    return replays.film_of(replays.first_log(game, viewer))


def picture_of(scenes: list[Scene], ply: int | None, *, size: int, theme: str, labelled: bool) -> str:
    """Return one position of a game as an SVG: the one after `ply` actions, or the last."""
    at = len(scenes) - 1 if ply is None else min(ply, len(scenes) - 1)
    return picture(scenes[at], union(scenes), size=size, theme=theme, labelled=labelled, translate=translated)


def card_of(scenes: list[Scene], said: Card, *, theme: str) -> bytes:
    """Return the card of a game as a PNG: its last position, and what is said beside it."""
    return png(card(scenes[-1], union(scenes), said, theme=theme, translate=translated))
