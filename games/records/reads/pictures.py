"""Pictures of games as files: SVG as the engine draws it, and PNG of it.

While a PNG is made, no other thread of the process runs; so one is made at a time, and the last ones are cached.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO

from PIL import Image
from resvg_py import svg_to_bytes

from engine.scene import Card, Scene, card, last_scene, picture, union
from engine.verify import ENGINE_VERSION
from games.models import Game
from games.platform.errors import RefusedError
from games.platform.kept import Kept
from games.platform.slots import Slots
from games.records.reads import replays
from games.records.reads.visibility import Viewer
from games.sentences import translated

PATIENCE = 2.0
"""Seconds for which a picture waits while another is made, which takes half a second at most."""
_KEPT_BYTES = 8 * 2**20
"""Of pictures that a process keeps: a card has some 100 kB."""
_slots = Slots()
THUMBNAIL = 96
"""Pixels of the longer side of a thumbnail: lists show it half as large, so that it is sharp on phones."""
_QUALITY = 60


class PictureError(RefusedError):
    """A picture that is not available now."""


_kept = Kept[bytes, bytes](_KEPT_BYTES, len)
"""Recent pictures, by the digest of everything drawn on them."""


@cache
def _fonts() -> list[str]:
    """Return the fonts of pictures; those of the machine are not used, so that pictures are the same everywhere."""
    return sorted(str(font) for font in files("games").joinpath("fonts").iterdir() if font.name.endswith(".ttf"))


def png(svg: str) -> bytes:
    """Return an SVG, at the size that it states, as a PNG.

    :raises PictureError: when others are being made for too long.
    """
    return _kept_or_made(sha256(svg.encode()).digest(), lambda: rendered(svg))


def _kept_or_made(key: bytes, make: Callable[[], bytes]) -> bytes:
    """Return a kept picture, or make it when no other is being made. :raises PictureError: when that takes too long."""
    if found := _kept.get(key):
        return found
    busy = PictureError("busy", "Another picture is being made. Try again in a few seconds.")
    with _slots.turn(busy, PATIENCE):
        made = _kept.get(key) or make()  # after waiting, another thread may have made the same picture
        _kept.put(key, made)
    return made


def rendered(svg: str) -> bytes:
    """Return an SVG, at the size that it states, as a PNG that is not cached."""
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


def thumbnail(game: Game, viewer: Viewer, *, charge: Callable[[], None]) -> bytes | None:
    """Return the last position of a game as a small WebP, as lists show it; nothing when no action could be played.

    Its ground is transparent: one picture serves both themes.

    :param charge: called before a picture that is not kept is made; what it raises ends the making.
    :raises PictureError: when other pictures are being made for too long.
    """
    log = replays.first_log(game, viewer)
    key = sha256(f"thumbnail {log.pk} {ENGINE_VERSION}".encode()).digest()
    if found := _kept.get(key):
        return found  # lists ask for it again and again: it is not replayed for that
    charge()
    played = replays.replay_once(log).replay
    if played is None or not played.actions:
        return None

    def make() -> bytes:
        scene = last_scene(played.ruleset, played.states, played.actions)
        stage = union([scene])
        drawn = rendered(picture(scene, stage, size=THUMBNAIL, theme=None, labelled=False, translate=translated))
        small = BytesIO()
        Image.open(BytesIO(drawn)).save(small, "WEBP", quality=_QUALITY, alpha_quality=_QUALITY, method=6)
        return small.getvalue()

    return _kept_or_made(key, make)


def card_of(scenes: list[Scene], said: Card, *, theme: str) -> bytes:
    """Return the card of a game as a PNG: its last position, and what is said beside it."""
    return png(card(scenes[-1], union(scenes), said, theme=theme, translate=translated))
