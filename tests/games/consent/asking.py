"""Games to confirm or dispute, and their state."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from games.consent.reads.eligibility import consent_of
from games.models import Acceptance, Game, Upload
from games.platform.errors import RefusedError
from games.uploads.origin import SCORED, UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

DAY = timedelta(days=1)


def uploaded_game(now: datetime, *, text: bytes = b"", by: User | None = None, options: UploadOptions = SCORED) -> Game:
    """Return a game of Ada and Bruno."""
    upload = upload_file(text or record(), via=Upload.Via.WEB, now=now, uploader=by, options=options)
    judge_all(now)
    game = upload.logs.get().game
    assert game
    return game


def why(act: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(RefusedError) as error:
        act()
    return error.value.code, str(error.value)


def state(game: Game, now: datetime) -> str:
    return consent_of(Game.objects.get(pk=game.pk), now=now).state


def due(game: Game) -> bool:
    return Acceptance.objects.filter(game=game, ladder__club=None).exists()
