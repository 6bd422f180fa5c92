"""The pictures of a film: each position that looks different from the one before, and how long it is shown."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import NamedTuple

from PIL import Image

from engine.scene import Scene, picture, union
from games.records.reads.pictures import rendered

_LAST = 3
"""How many times as long the last picture is shown, so that the end can be seen before the film begins again."""


class Frame(NamedTuple):
    """A picture and the milliseconds for which it is shown."""

    picture: Image.Image
    shown: int


def drawings(
    scenes: Sequence[Scene], first: int, last: int, *, size: int, theme: str, pace: int
) -> list[tuple[str, int]]:
    """Return the SVG of each frame and its time; an action that changes nothing on the board gives no frame."""
    stage = union(scenes)
    found: list[tuple[str, int]] = []
    for scene in scenes[first : last + 1]:
        drawn = picture(scene, stage, size=size, theme=theme)
        if not found or drawn != found[-1][0]:
            found.append((drawn, pace))
    found[-1] = found[-1][0], pace * _LAST
    return found


def frames(drawn: Sequence[tuple[str, int]]) -> Iterator[Frame]:
    """Yield the frames, drawn one by one; all have the size of the first."""
    for svg, shown in drawn:
        with Image.open(BytesIO(rendered(svg))) as one:
            yield Frame(one.convert("RGB"), shown)
