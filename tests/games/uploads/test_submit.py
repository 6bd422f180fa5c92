"""Taking in."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games.models import MoveLog, Upload
from games.uploads.cutting import MAX_GAMES, MAX_LINES
from games.uploads.origin import IntakeError
from games.uploads.source import MAX_BYTES
from tests.factories import BROKEN, record
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


def test_every_record_of_a_file_becomes_a_log_that_waits(now: datetime, alice: User) -> None:
    upload = upload_file(
        record() + b"\n" + BROKEN, via=Upload.Via.WEB, now=now, uploader=alice, filename="C:\\games\\a.agn"
    )

    logs = upload.logs.order_by("number")
    assert [(log.number, log.line, log.state) for log in logs] == [(1, 1, "waiting"), (2, 11, "waiting")]
    assert (upload.filename, upload.uploader, upload.received_at) == ("a.agn", alice, now)


def test_the_bytes_are_kept_as_sent(now: datetime) -> None:
    sent = record().replace(b"\n", b"\r\n")

    upload = upload_file(sent, via=Upload.Via.API, now=now)

    assert bytes(upload.logs.get().data) == sent.removesuffix(b"\r\n")


def test_log_keeps_bytes_that_are_not_text(now: datetime) -> None:
    upload = upload_file(b"\xff\x00 not a game", via=Upload.Via.API, now=now)

    assert bytes(upload.logs.get().data) == b"\xff\x00 not a game"


@pytest.mark.parametrize("nothing", [b"", b"\n \n\t\r\n", b"\xef\xbb\xbf"])
def test_a_file_without_a_game_is_refused(now: datetime, nothing: bytes) -> None:
    with pytest.raises(IntakeError, match=r"This upload contains no game\.") as refused:
        upload_file(nothing, via=Upload.Via.WEB, now=now)

    assert refused.value.code == "empty"


def test_oversized_file_is_rejected_completely(now: datetime) -> None:
    with pytest.raises(IntakeError, match=f"at most {MAX_BYTES} bytes"):
        upload_file(b"[" * (MAX_BYTES + 1), via=Upload.Via.WEB, now=now)

    assert not Upload.objects.exists()


def test_file_with_too_many_lines_is_rejected(now: datetime) -> None:
    with pytest.raises(IntakeError, match=f"at most {MAX_LINES} lines"):
        upload_file(b"x" + b"\n" * (MAX_BYTES - 1), via=Upload.Via.WEB, now=now)


def test_file_with_too_many_games_is_rejected_completely(now: datetime) -> None:
    with pytest.raises(IntakeError, match=f"at most {MAX_GAMES} games") as refused:
        upload_file(b"[x]\n\n" * (MAX_GAMES + 1), via=Upload.Via.WEB, now=now)

    assert refused.value.code == "too_many_games"
    assert not MoveLog.objects.exists()
