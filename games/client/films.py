"""Films of games: ask for one, wait until it is made, download it."""

import time
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

from games.client.following import Json
from games.client.site import ClientError, Site

FilmForm = Literal["webp", "gif", "mp4"]
Theme = Literal["light", "dark"]
_FIRST, _SLOWEST = 0.5, 5.0
"""Seconds between two requests: longer each time."""


@dataclass(frozen=True, slots=True)
class Film:
    """A film, in its state at the time of the request."""

    game: str
    """The key of its game."""
    id: int
    format: str
    first: int
    last: int
    size: int
    theme: str
    pace: int
    state: str
    """`waiting`, `making`, `made` or `failed`."""
    before: int
    """How many other films are made before it."""
    bytes: int
    """The size of its file; 0 until it is made."""


class Films:
    """The films of a site's games."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def ask(  # noqa: PLR0913 - the options of a film
        self,
        game: str,
        *,
        format: FilmForm = "webp",  # noqa: A002 - as the API names it
        first: int = 0,
        last: int | None = None,
        size: int = 480,
        theme: Theme = "light",
        pace: int = 900,
    ) -> Film:
        """Ask for a film of a game, given by its key or its address. A film that exists is not made again.

        :param first: the number of actions before the film begins; `last`: after which it ends, or the whole game.
        :param size: the length of the longer side, in pixels.
        :param pace: milliseconds for each position.
        :raises ClientError: when the site refuses it, or the account has too many films waiting.
        """
        wanted: Json = {"format": format, "first": first, "size": size, "theme": theme, "pace": pace}
        key = game_key(game)
        body = wanted if last is None else {**wanted, "last": last}
        return _film(key, self._site.ask_json("POST", f"/api/v1/games/{quote(key)}/films", body).json)

    def get(self, film: Film) -> Film:
        """Return a film as it is now. :raises ClientError: when it does not exist any more."""
        return _film(film.game, self._site.ask("GET", _path(film)).json)

    def wait(self, film: Film) -> Film:
        """Wait until a film is made. :raises ClientError: when it cannot be made."""
        wait = _FIRST
        while film.state in ("waiting", "making"):
            time.sleep(wait)
            wait = min(wait * 1.3, _SLOWEST)
            film = self.get(film)
        if film.state != "made":
            raise ClientError("This film could not be made. Try a shorter or smaller one.")
        return film

    def download(self, film: Film) -> bytes:
        """Return the file of a film that is made. :raises ClientError: when it is not made."""
        return self._site.ask("GET", f"{_path(film)}/file").body


def game_key(game: str) -> str:
    """Return the key of a game that is given by its key or by the address of its page."""
    return urlsplit(game).path.rstrip("/").rpartition("/")[2]


def _path(film: Film) -> str:
    return f"/api/v1/games/{quote(film.game)}/films/{film.id}"


def _film(key: str, found: Json) -> Film:
    return Film(game=key, **{name: found[name] for name in Film.__dataclass_fields__ if name != "game"})
