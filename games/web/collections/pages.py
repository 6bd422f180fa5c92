"""What pages show of collections: a game's panel, the list of an account, and one collection."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from games.collections.reads import collections_of, collections_with, games_in
from games.models import Collection, Game
from games.platform.roles import is_moderator
from games.records.reads.visibility import Viewer
from games.web.lists import Part, part_of
from games.web.rows import GameRow, rows_of


@dataclass(frozen=True, slots=True)
class CollectionLine:
    """A collection in a list."""

    key: str
    name: str
    url: str
    count: int
    public: bool


@dataclass(frozen=True, slots=True)
class Keeping:
    """What a game's page offers its reader."""

    sign_in: str
    """Where readers without an account sign in first; empty for others."""
    favourite: bool
    favourite_action: str
    collect_action: str
    having: tuple[CollectionLine, ...]
    """The reader's collections that have the game, without the favourites."""
    others: tuple[CollectionLine, ...]


@dataclass(frozen=True, slots=True)
class CollectionPage:
    """One collection."""

    key: str
    name: str
    owner: str
    is_own: bool
    is_favourites: bool
    public: bool
    hidden_for: str
    """Why a moderator hides it; empty if none does."""
    may_report: bool
    moderation: str
    """Where a moderator decides about it; empty for others."""
    games: Part[GameRow]


def name_of(collection: Collection) -> str:
    """Return what a collection is called."""
    return gettext("Favourites") if collection.favourites else collection.name


def keeping(game: Game, viewer: Viewer) -> Keeping:
    """Return what a game's page offers its reader."""
    if not isinstance(viewer, User):
        onward = urlencode({"next": game.get_absolute_url()})
        return Keeping(f"{reverse('account_login')}?{onward}", favourite=False, favourite_action="", collect_action="",
                       having=(), others=())  # fmt: skip
    having = collections_with(game, viewer)
    named = [one for one in collections_of(viewer) if not one.favourites]
    return Keeping(
        sign_in="",
        favourite=any(having.values()),
        favourite_action=reverse("game-favourite", args=[game.key]),
        collect_action=reverse("game-collect", args=[game.key]),
        having=tuple(_line(one) for one in named if one.pk in having),
        others=tuple(_line(one) for one in named if one.pk not in having),
    )


def collection_lines(account: User) -> tuple[CollectionLine, ...]:
    """Return the collections of an account."""
    return tuple(map(_line, collections_of(account)))


def collection_page(collection: Collection, viewer: Viewer, query: QueryDict) -> CollectionPage:
    """Return one collection, with the games that the viewer may see."""
    found = games_in(collection, viewer).order_by("-added_at", "-pk")
    part = part_of("games", found, lambda collected: collected.game, query)
    is_own = collection.account_id == viewer.pk
    moderates = is_moderator(viewer) and not is_own
    return CollectionPage(
        key=collection.key,
        name=name_of(collection),
        owner=collection.account.get_username(),
        is_own=is_own,
        is_favourites=collection.favourites,
        public=collection.public,
        hidden_for=collection.hidden_for,
        may_report=viewer.is_authenticated and not is_own,
        moderation=reverse("moderation-collection", args=[collection.key]) if moderates else "",
        games=Part(part.name, tuple(rows_of(part.rows)), part.previous, part.next),
    )


def _line(collection: Collection) -> CollectionLine:
    count = collection.count  # type: ignore[attr-defined] # annotated
    url = reverse("collection", args=[collection.key])
    return CollectionLine(collection.key, name_of(collection), url, count, collection.public)
