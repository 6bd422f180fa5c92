"""One game uploaded with different player names."""

from datetime import datetime

from django.contrib.auth.models import User

from games.consent.reads.eligibility import consent_of
from games.models import Game, Upload
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

TRUE, EXCHANGED, MADE_UP = ("Ada", "Bruno"), ("Bruno", "Ada"), ("Xenia", "Yuri")


def upload_records(
    names: tuple[str, str], now: datetime, by: User | None = None, options: UploadOptions | None = None, note: str = ""
) -> Game:
    """Upload the game of these tests with some names.

    :param note: makes it a different file.
    """
    data = record(names=names, **{"Event": note} if note else {})
    upload = upload_file(data, via=Upload.Via.API, now=now, uploader=by, options=options or UploadOptions())
    judge_all(now)
    game = upload.logs.get().game
    assert game
    return game


def applies() -> Game:
    """Return the game whose seating currently applies."""
    return Game.objects.get(upheld=True, private=False)


def names_of(game: Game) -> tuple[str, ...]:
    """Return the players' names in turn order."""
    return tuple(game.seatings.order_by("seat").values_list("player__name", flat=True))


def ineligible_reason(game: Game, now: datetime) -> str:
    """Return why a game currently cannot be rated."""
    return consent_of(Game.objects.get(pk=game.pk), now=now).ineligible_reason
