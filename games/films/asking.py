"""Asking for films: a film that exists is used again, and what one visitor may have waiting is limited."""

from dataclasses import asdict
from datetime import datetime

from django.db import transaction
from django.utils.crypto import salted_hmac

from games.films.options import FilmError, FilmOptions, checked, drawn_by
from games.films.reads import WAITING
from games.models import Film, Game
from games.platform.locks import wait_for

MOST_EACH = 3
"""Films that one account or address may have waiting."""
MOST_WAITING = 100
"""Films that may be waiting in all."""


@transaction.atomic
def ask_for(game: Game, options: FilmOptions, *, plies: int, by: str, now: datetime) -> Film:
    """Return the film of a game with these options; it is made by a worker unless it exists.

    :param plies: the last ply of the game.
    :param by: who asks: an account or an address.
    :raises FilmError: when there can be no such film, or too many are waiting.
    """
    wanted = checked(options, plies)
    who = salted_hmac("games.films", by).hexdigest()[:32]
    wait_for("films")  # so that there are never more waiting, however many requests come at once
    named = asdict(wanted)
    named |= {"form": named.pop("format"), "drawn_by": drawn_by()}
    film = Film.objects.defer("data").filter(game=game, **named).first()
    if film and film.state != Film.State.FAILED:
        Film.objects.filter(pk=film.pk).update(asked_at=now)
        return film
    _check_waiting(who)
    if film:
        film.delete()
    return Film.objects.create(game=game, **named, asked_by=who, asked_at=now)


def _check_waiting(who: str) -> None:
    waiting = Film.objects.filter(state__in=WAITING)
    if waiting.filter(asked_by=who).count() >= MOST_EACH:
        raise FilmError(
            "too_many_films", "{most} of your films are still being made. Ask again when one is done.", most=MOST_EACH
        )
    if waiting.count() >= MOST_WAITING:
        raise FilmError("busy", "Many films are being made. Try again later.")
