"""Private games: who uploaded one shows it to everybody, or hides it again while it counts nowhere."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.models import Act, Game
from games.services.acceptance import places_of
from games.services.consent import settle
from games.services.refusals import RefusedError


class PrivacyError(RefusedError):
    """A game that cannot be shown or hidden; nothing has changed."""


@transaction.atomic
def show(game: Game, account: AbstractBaseUser, *, now: datetime) -> None:
    """Makes a private game public. :raises PrivacyError: when the account has not uploaded it."""
    game = _held(game)
    if not game.logs.filter(upload__uploader=account.pk).exists():
        raise PrivacyError("not_uploader", "Only who uploaded a game can show it to everybody.")
    _turn(game, account, private=False, now=now)


@transaction.atomic
def hide(game: Game, account: AbstractBaseUser, *, now: datetime) -> None:
    """Makes a game private.

    :raises PrivacyError: when others have uploaded it, too, or it counts for a ladder.
    """
    game = _held(game)
    uploads = game.logs.select_related("upload")
    if any(log.upload.uploader_id != account.pk for log in uploads):
        raise PrivacyError("others_uploaded", "Somebody else has uploaded this game, too.")
    if places_of(game) or any(log.upload.league_id for log in uploads):
        raise PrivacyError("counts", "This game counts for a ladder, so everybody may see why.")
    _turn(game, account, private=True, now=now)


def _held(game: Game) -> Game:
    return Game.objects.select_for_update(no_key=True).get(pk=game.pk)


def _turn(game: Game, account: AbstractBaseUser, *, private: bool, now: datetime) -> None:
    if game.private == private:
        return
    game.private = private
    game.save(update_fields=["private"])
    kind = Act.Kind.GAME_HIDDEN if private else Act.Kind.GAME_SHOWN
    Act.objects.create(kind=kind, by_id=account.pk, at=now, game=game)
    settle(game, now=now)
