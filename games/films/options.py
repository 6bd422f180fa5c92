"""What a film can be asked for, and how long and large it may be."""

from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec

from engine.scene import THEMES
from engine.verify import ENGINE_VERSION
from games.models import Film
from games.platform.errors import RefusedError
from games.platform.parameters import not_allowed

SIZES = range(120, 1081)
"""How long the longer side may be, in pixels."""
PACES = range(100, 5001)
"""How many milliseconds each picture may be shown."""
MOST_PLIES = 400
MOST_PIXELS = 120 * 10**6
"""Of all pictures together, counted as squares: 400 of 540 pixels, or 102 of 1,080."""
_WAY = 1
"""Raised when films are made in another way, so that older ones are not shown any more."""


class FilmError(RefusedError):
    """A film that cannot be asked for."""

    def __init__(self, code: str, template: str, /, parameter: str = "", **params: object) -> None:
        super().__init__(code, template, **params)
        self.parameter = parameter


@dataclass(frozen=True, slots=True)
class FilmOptions:
    """Which plies of a game a film shows, and how."""

    format: str = "webp"
    first: int = 0
    last: int | None = None
    """The last ply of the game where none is named."""
    size: int = 480
    theme: str = "light"
    pace: int = 900


def drawn_by() -> str:
    """Return the version of all that a film looks like."""
    return f"{version('atta')}/{ENGINE_VERSION}/{_WAY}"[:40]


def makes_mp4() -> bool:
    """Return whether MP4 can be made here: it needs PyAV, the extra `video`."""
    return find_spec("av") is not None


def checked(options: FilmOptions, plies: int) -> FilmOptions:
    """Return the options with the last ply named.

    :param plies: the last ply of the game.
    :raises FilmError: when the film would be too long or too large, or cannot be made here.
    """
    last = plies if options.last is None else min(options.last, plies)
    _check_values(options)
    if options.first >= last:
        raise FilmError(
            "empty_film",
            "A film goes from a position to a later one; this one goes from {first} to {last}.",
            parameter="first",
            first=options.first,
            last=last,
        )
    count = last - options.first + 1
    if count > MOST_PLIES:
        raise FilmError(
            "film_too_long", "A film can show at most {most} positions; this one has {count}.",
            parameter="last", most=MOST_PLIES, count=count,
        )  # fmt: skip
    if count * options.size**2 > MOST_PIXELS:
        most = int((MOST_PIXELS / count) ** 0.5)
        raise FilmError(
            "film_too_large", "A film of {count} positions can be at most {most} pixels wide.",
            parameter="size", count=count, most=most,
        )  # fmt: skip
    return FilmOptions(options.format, options.first, last, options.size, options.theme, options.pace)


def _check_values(options: FilmOptions) -> None:
    if options.format == Film.Form.MP4 and not makes_mp4():
        raise FilmError("no_mp4", "This site makes no MP4. Choose GIF or WebP.", parameter="format")
    ranges = {"size": (options.size, SIZES), "pace": (options.pace, PACES)}
    choices = {"format": (options.format, tuple(Film.Form.values)), "theme": (options.theme, tuple(THEMES))}
    for name, (value, allowed) in (ranges | choices).items():
        if value not in allowed:
            said = f"{allowed[0]}–{allowed[-1]}" if isinstance(allowed, range) else ", ".join(allowed)
            raise _not_allowed(name, value, said)
    if options.first < 0:
        raise _not_allowed("first", options.first, "0–")


def _not_allowed(name: str, value: str | int, allowed: str) -> FilmError:
    error = FilmError.of("invalid", not_allowed(name, value, [allowed]))
    error.parameter = name
    return error
