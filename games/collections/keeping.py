"""Making collections, and putting games in and out."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q

from engine.agn.names import name_key
from games.collections.reads import MOST, MOST_GAMES
from games.models import CollectedGame, Collection, Game
from games.platform import reports
from games.platform.errors import RefusedError
from games.platform.locks import wait_for
from games.platform.reports import check_visible, shows_nothing

LONGEST_NAME = 80


class CollectionError(RefusedError):
    """Something that cannot be done with a collection."""


@transaction.atomic
def make(account: User, name: str, *, public: bool, now: datetime) -> Collection:
    """Make a collection. :raises CollectionError: when it has no name, or the account has too many."""
    named = _named(name)
    _check_room(account)
    return Collection.objects.create(account=account, name=named, public=public, made_at=now)


def change(collection: Collection, *, name: str, public: bool) -> None:
    """Rename a collection, and choose whether others may read it. :raises CollectionError: for the favourites."""
    _check_named_one(collection)
    collection.name, collection.public, collection.version = _named(name), public, F("version") + 1
    collection.save(update_fields=["name", "public", "version"])
    collection.refresh_from_db(fields=["version"])


def remove(collection: Collection) -> None:
    """Remove a collection; its games stay. :raises CollectionError: for the favourites."""
    _check_named_one(collection)
    collection.delete()


@transaction.atomic
def add(collection: Collection, game: Game, *, now: datetime) -> None:
    """Add a game; one that is there stays where it is. :raises CollectionError: when the collection is full."""
    wait_for(f"collections of {collection.account_id}")  # so that there are never more, even with requests at once
    if CollectedGame.objects.filter(collection=collection, game=game).exists():
        return
    if collection.games.count() >= MOST_GAMES:
        raise CollectionError("collection_full", "A collection has at most {most} games.", most=MOST_GAMES)
    CollectedGame.objects.create(collection=collection, game=game, added_at=now)
    Collection.objects.filter(pk=collection.pk).update(version=F("version") + 1)


def take_out(collection: Collection, key: str) -> None:
    """Take the game with a key out of a collection, or the one to which the key leads.

    It may be one that the account cannot see any more, or that leads to another game since it was added.
    """
    keyed = Game.objects.filter(key=key)
    meant = Q(game__in=keyed) | Q(game__in=keyed.values("same_as"))
    CollectedGame.objects.filter(meant, collection=collection).delete()


@transaction.atomic
def set_favourite(account: User, game: Game, *, favourite: bool, now: datetime) -> None:
    """Add a game to an account's favourites, or take it out. :raises CollectionError: when there are too many."""
    wait_for(f"collections of {account.pk}")
    found = Collection.objects.filter(account=account, favourites=True).first()
    if favourite:
        add(found or Collection.objects.create(account=account, favourites=True, made_at=now), game, now=now)
    elif found:
        take_out(found, game.key)


def report(collection: Collection, reason: str, *, by: User, now: datetime) -> None:
    """Report a collection to the moderators. :raises RefusedError: without a reason, or for one's own."""
    if collection.account_id == by.pk:
        raise CollectionError("own_collection", "This is your own collection.")
    reports.report(collection, reason, by=by, now=now)


def _named(name: str) -> str:
    tidied = name_key(name)
    if shows_nothing(tidied) or len(tidied) > LONGEST_NAME:
        raise CollectionError("bad_name", "The name of a collection has 1 to {most} characters.", most=LONGEST_NAME)
    check_visible(tidied, "name")
    return tidied


def _check_named_one(collection: Collection) -> None:
    if collection.favourites:
        raise CollectionError("favourites", "Your favourites cannot be renamed, published or removed.")


def _check_room(account: User) -> None:
    wait_for(f"collections of {account.pk}")
    if Collection.objects.filter(account=account, favourites=False).count() >= MOST:
        raise CollectionError(
            "too_many_collections", "You have {most} collections, which is the limit. Remove some first.", most=MOST
        )
