"""Collections of games: the account's favourites, and lists with names."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from games.client.films import game_key
from games.client.following import Json
from games.client.site import Site

_PATH = "/api/v1/collections"
_OWN = "/api/v1/account/collections"


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection of games."""

    key: str
    name: str
    """Empty for the favourites."""
    favourites: bool
    public: bool
    """Whether everybody who knows its address may read it."""
    owner: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class CollectedGame:
    """A game of a collection."""

    key: str
    page: str
    """The address of its page."""
    added_at: datetime


class Collections:
    """The collections of an account, and public ones of others."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def own(self) -> list[Collection]:
        """Return the account's collections, the favourites first."""
        return [_collection(one) for one in self._site.ask("GET", _OWN).json["collections"]]

    def get(self, key: str) -> Collection:
        """Return a collection. :raises ClientError: when it does not exist, or only others may read it."""
        return _collection(self._site.ask("GET", _path(key)).json)

    def make(self, name: str, *, public: bool = False) -> Collection:
        """Make a collection. :raises ClientError: when the account has too many."""
        return _collection(self._site.ask_json("POST", _OWN, {"name": name, "public": public}).json)

    def change(self, collection: Collection, *, name: str, public: bool) -> Collection:
        """Rename a collection, and choose whether others may read it."""
        body = {"name": name, "public": public}
        return _collection(self._site.ask_json("PUT", _path(collection.key), body).json)

    def remove(self, collection: Collection) -> None:
        """Remove a collection; its games stay."""
        self._site.ask("DELETE", _path(collection.key))

    def games(self, collection: Collection) -> Iterator[CollectedGame]:
        """Yield the games of a collection that the account may see, the newest first."""
        before = ""
        while True:
            page: Json = self._site.ask("GET", f"{_path(collection.key)}{before}").json
            yield from map(_collected, page["games"])
            if not page["older"]:
                return
            before = f"?before={quote(page['older'], safe='')}"

    def add(self, collection: Collection, game: str) -> None:
        """Add a game, given by its key or the address of its page. :raises ClientError: when the collection is full."""
        self._site.ask("PUT", f"{_path(collection.key)}/games/{quote(game_key(game))}")

    def take_out(self, collection: Collection, game: str) -> None:
        """Take a game out of a collection."""
        self._site.ask("DELETE", f"{_path(collection.key)}/games/{quote(game_key(game))}")

    def is_favourite(self, game: str) -> bool:
        """Return whether a game is among the account's favourites."""
        found: bool = self._site.ask("GET", _favourite(game)).json["favourite"]
        return found

    def set_favourite(self, game: str, *, favourite: bool = True) -> None:
        """Add a game to the account's favourites, or take it out."""
        self._site.ask_json("PUT", _favourite(game), {"favourite": favourite})


def _path(key: str) -> str:
    return f"{_PATH}/{quote(key, safe='')}"


def _favourite(game: str) -> str:
    return f"/api/v1/games/{quote(game_key(game))}/favourite"


def _collection(found: Json) -> Collection:
    plain = ("key", "name", "favourites", "public", "owner")
    return Collection(made_at=datetime.fromisoformat(found["made_at"]), **{name: found[name] for name in plain})


def _collected(found: Json) -> CollectedGame:
    game = found["game"]
    return CollectedGame(game["key"], game["page"], datetime.fromisoformat(found["added_at"]))
