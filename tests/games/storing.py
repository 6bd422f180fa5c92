"""Games that are there: uploaded and judged, without the steps between."""

from datetime import datetime

from django.contrib.auth.models import User

from games.models import Game, Upload
from games.uploads.origin import SCORED, UploadOptions
from tests.games.judging import count_all, judge_all
from tests.games.uploading import upload_file


def stored(data: bytes, now: datetime) -> Game:
    """Upload a file, judge it and rate its games; return the game of its first record."""
    upload = upload_file(data, via=Upload.Via.API, now=now)
    count_all(now)
    game = upload.logs.get(number=1).game
    assert game
    return game


def judged(*records: bytes, now: datetime, uploader: User | None = None, options: UploadOptions = SCORED) -> list[Game]:
    """Upload records in one file and judge them; return their games."""
    upload = upload_file(b"\n".join(records), via=Upload.Via.API, now=now, uploader=uploader, options=options)
    judge_all(now)
    return [log.game for log in upload.logs.order_by("number") if log.game]
