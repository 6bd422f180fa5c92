"""Private games: their uploader can make them public, or private again while they count nowhere."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from engine.words import marked
from games.consent.confirmations import settle
from games.models import Act, Game
from games.platform.errors import RefusedError
from games.ratings.acceptance import places_of
from games.records.introductions import introduce_seats, take_back
from games.records.reads.visibility import against_hiding, against_showing

_AGAINST = {
    "not_uploader": marked("Only the account that uploaded a game can make it public."),
    "others_uploaded": marked("Another account has uploaded this game too."),
    "public_already": marked("A public game has the same moves. To say who played, upload your log publicly."),
    "contested": marked("Other uploads of this game name other players."),
    "confirmed": marked(
        "All players have confirmed this game, so it will be rated. To make it private, withdraw a confirmation first."
    ),
    "counts": marked("This game is rated, so it must stay public."),
}


class PrivacyError(RefusedError):
    """A game that cannot be shown or hidden; nothing has changed."""


@transaction.atomic
def show(game: Game, account: AbstractBaseUser, *, now: datetime) -> None:
    """Make a private game public. :raises PrivacyError: when the account has not uploaded it."""
    game = _locked(game)
    if against := against_showing(game, account):
        raise PrivacyError(against, _AGAINST[against])
    _turn(game, account, private=False, now=now)


@transaction.atomic
def hide(game: Game, account: AbstractBaseUser, *, now: datetime) -> None:
    """Make a game private.

    :raises PrivacyError: when others have uploaded it, too, or it counts for a ladder, or all have confirmed it.
    """
    game = _locked(game)
    places_of(game)  # waits for a transaction that is about to give it a number
    if against := against_hiding(game, account):
        raise PrivacyError(against, _AGAINST[against])
    _turn(game, account, private=True, now=now)


def _locked(game: Game) -> Game:
    return Game.objects.select_for_update(no_key=True).get(pk=game.pk)


def _turn(game: Game, account: AbstractBaseUser, *, private: bool, now: datetime) -> None:
    if game.private == private:
        return
    if private:
        # A private copy of the account's own, with the same seating, is this game from now on.
        copies = Game.objects.filter(owner_id=account.pk, digest=game.digest, seating=game.seating, same_as=None)
        copies.exclude(digest=None).update(same_as=game)
    game.private, game.owner_id = private, account.pk if private else None
    try:
        with transaction.atomic():
            game.save(update_fields=["private", "owner"])
    except IntegrityError:  # somebody uploads the same moves at this moment
        raise PrivacyError("public_already", _AGAINST["public_already"]) from None
    if private:
        take_back(game.pk, account.pk)
    else:
        introduce_seats(game.pk, account.pk, now=now)
    kind = Act.Kind.GAME_HIDDEN if private else Act.Kind.GAME_SHOWN
    Act.objects.create(kind=kind, by_id=account.pk, at=now, game=game)
    settle(game, now=now)
