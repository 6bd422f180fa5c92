"""Films as files: GIF and WebP by Pillow, MP4 by PyAV where it is installed."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from importlib import import_module
from io import BytesIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image

from games.films.frames import Frame
from games.models import Film

MEDIA_TYPES = {"gif": "image/gif", "webp": "image/webp", "mp4": "video/mp4"}
_COLOURS, _SAMPLES = 256, 8
"""Of a GIF: the colours of its palette, and of how many pictures they are chosen."""
_QUALITY, _METHOD = 82, 2
_MILLISECONDS = Fraction(1, 1000)


def encoded(form: str, frames: Iterable[Frame]) -> bytes:
    """Return a film as a file that begins again at its end (MP4: that ends)."""
    encode: Callable[[list[Frame]], bytes] = {Film.Form.GIF: _gif, Film.Form.WEBP: _webp, Film.Form.MP4: _mp4}[
        Film.Form(form)
    ]
    return encode(list(frames))


def _gif(frames: list[Frame]) -> bytes:
    palette = _palette([frame.picture for frame in frames])
    pictures = [frame.picture.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    return _animated("GIF", pictures, frames, optimize=False)


def _palette(pictures: list[Image.Image]) -> Image.Image:
    """Return one palette for all pictures, so that only what moves is stored."""
    step = max(1, len(pictures) // _SAMPLES)
    samples = list(chain(pictures[:-1:step], pictures[-1:]))
    width, height = pictures[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for at, sample in enumerate(samples):
        sheet.paste(sample, (0, at * height))
    return sheet.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT)


def _webp(frames: list[Frame]) -> bytes:
    return _animated("WEBP", [frame.picture for frame in frames], frames, quality=_QUALITY, method=_METHOD)


def _animated(form: str, pictures: list[Image.Image], frames: list[Frame], **options: int) -> bytes:
    file, times = BytesIO(), [frame.shown for frame in frames]
    pictures[0].save(file, form, save_all=True, append_images=pictures[1:], duration=times, loop=0, **options)
    return file.getvalue()


def _mp4(frames: list[Frame]) -> bytes:
    """Return H.264 that every browser plays; a file, because what it begins with is known at its end."""
    av: Any = import_module("av")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
            stream = container.add_stream("libx264", rate=10, options={"crf": "22", "preset": "veryfast"})
            stream.width, stream.height = (side // 2 * 2 for side in frames[0].picture.size)
            stream.pix_fmt, stream.codec_context.time_base = "yuv420p", _MILLISECONDS
            for one in _timed(av, frames):
                container.mux(stream.encode(one))
            container.mux(stream.encode(None))
        return path.read_bytes()


def _timed(av: Any, frames: list[Frame]) -> Iterator[Any]:  # noqa: ANN401 - PyAV may be missing, and its types with it
    """Yield the pictures with an even number of pixels on each side, as H.264 wants them, and when each begins.

    The last picture comes again at its own end, since a film ends with the beginning of its last picture.
    """
    width, height = (side // 2 * 2 for side in frames[0].picture.size)
    begin = 0
    for picture, shown in [*frames, Frame(frames[-1].picture, 0)]:
        one = av.VideoFrame.from_image(picture.crop((0, 0, width, height)))
        one.pts, one.time_base = begin, _MILLISECONDS
        yield one
        begin += shown
