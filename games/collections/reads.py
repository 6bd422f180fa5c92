"""Reading collections, as far as somebody may see them and their games."""

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import CollectedGame, Collection, CollectionReport, Game
from games.platform.roles import is_moderator
from games.records.reads.games import with_seats
from games.records.reads.visibility import Viewer, games_for

MOST = 100
"""Collections that an account can name, besides its favourites."""
MOST_GAMES = 1000
"""Games in a collection."""


def collections_of(account: User) -> "QuerySet[Collection]":
    """Return the collections of an account, the favourites first, then by name.

    Each has the number of its games that the account may see.
    """
    seen = CollectedGame.objects.filter(games_for(account, "game__"), collection=OuterRef("pk"))
    number = Subquery(seen.values("collection").annotate(number=Count("pk")).values("number"))
    found = Collection.objects.filter(account=account).annotate(count=Coalesce(number, 0))
    return found.order_by("-favourites", "name", "pk")


def find_collection(key: str, viewer: Viewer) -> Collection:
    """Return a collection that somebody may read: their own, and public ones that no moderator hides.

    Moderators also read hidden ones, and private ones that were reported before.

    :raises Collection.DoesNotExist: when there is none.
    """
    return Collection.objects.filter(_collections_for(viewer)).select_related("account").get(key=key)


def _collections_for(viewer: Viewer) -> Q:
    shown = Q(public=True, hidden_at=None)
    if not viewer.is_authenticated:
        return shown
    own = shown | Q(account=viewer.pk)
    reported = CollectionReport.objects.filter(collection=OuterRef("pk"), settled_at=None)
    return own | Q(public=True) | Q(Exists(reported)) if is_moderator(viewer) else own


def games_in(collection: Collection, viewer: Viewer) -> "QuerySet[CollectedGame]":
    """Return the games of a collection that somebody may see, with their seats or the names in their records."""
    seen = CollectedGame.objects.filter(games_for(viewer, "game__"), collection=collection)
    return seen.prefetch_related(Prefetch("game", with_seats(Game.objects.all())))


def collections_with(game: Game, viewer: Viewer) -> dict[int, bool]:
    """Return the collections of an account that have a game: by their ids, whether they are its favourites."""
    if not viewer.is_authenticated:
        return {}
    having = CollectedGame.objects.filter(game=game, collection__account=viewer.pk)
    return dict(having.values_list("collection", "collection__favourites"))
