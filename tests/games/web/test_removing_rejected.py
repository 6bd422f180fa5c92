"""An uploader removes rejected records that are not corrected; nobody sees them until they are brought back."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.audit.stored_logs import check_logs
from games.consent.privacy import hide
from games.models import Act, Game, MoveLog, Upload
from games.moderation.moderators import make_moderator
from games.uploads.dry_runs import forget_dry_runs
from games.uploads.reads.progress import progress_of
from games.uploads.removal import remove_rejected, restore_removed
from games.verification.queue import queue_again
from tests.factories import BROKEN, duels
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of
from tests.games.web.test_keeping_corrections import THREE, correct, uploaded

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(alice: User, now: datetime) -> Upload:
    """Two rejected records, and between them an unfinished one."""
    return uploaded(now, alice)


@pytest.fixture
def mine(browse: Callable[..., Client], alice: User) -> Client:
    return browse(alice)


def numbers(upload: Upload) -> list[int]:
    return list(upload.logs.filter(removed=None).order_by("number").values_list("number", flat=True))


def test_the_page_asks_removes_them_and_brings_them_back(mine: Client, evening: Upload) -> None:
    before = words_of(mine.get(evening.get_absolute_url()).content.decode())
    assert "Remove 2 rejected records? They leave this report" in before

    words = words_of(mine.post(f"/uploads/{evening.pk}/remove-rejected/", follow=True).content.decode())
    assert "1 unfinished 2 removed" in words
    assert "Bring 2 removed records back" in words
    assert "Remove rejected records" not in words

    after = mine.post(f"/uploads/{evening.pk}/restore-removed/", follow=True)
    assert words_of(after.content.decode()) == before


def test_nobody_sees_a_removed_record_until_it_is_back(
    mine: Client, client: Client, evening: Upload, alice: User, now: datetime
) -> None:
    log = MoveLog.objects.get(upload=evening, number=1)
    assert log.game
    pages = (log.game.get_absolute_url(), f"/uploads/{evening.pk}/records/1/", f"/api/v1/uploads/{evening.pk}/logs/1")
    assert f"/games/{log.game.key}/" in client.get("/games/?verdict=rejected").content.decode()
    remove_rejected(evening, alice, now=now)
    for one in (mine, client):
        assert [one.get(page).status_code for page in pages] == [404, 404, 404]
        assert f"/games/{log.game.key}/" not in one.get("/games/?verdict=rejected").content.decode()
        for query in ("", "?show=rejected", "?sort=file"):
            assert 'id="record-1"' not in one.get(f"{evening.get_absolute_url()}{query}").content.decode()
    restore_removed(evening, alice, now=now)
    assert [client.get(page).status_code for page in pages] == [200, 200, 200]


def test_a_game_that_was_private_comes_back_private(alice: User, now: datetime, mine: Client, client: Client) -> None:
    upload = uploaded(now, alice)
    game = MoveLog.objects.get(upload=upload, number=1).game
    assert game
    hide(game, alice, now=now)
    remove_rejected(upload, alice, now=now)
    restore_removed(upload, alice, now=now)
    assert [one.get(game.get_absolute_url()).status_code for one in (mine, client)] == [200, 404]


def test_counts_and_stored_records_agree_afterwards(evening: Upload, alice: User, now: datetime) -> None:
    assert remove_rejected(evening, alice, now=now) == 2
    assert remove_rejected(evening, alice, now=now) == 0
    evening.refresh_from_db()
    found = progress_of(evening)
    assert (found.total, found.done, found.waiting, found.rejected, found.removed) == (1, 1, 0, 0, 2)
    assert evening.done_at is not None
    assert queue_again() == 0
    assert list(check_logs()) == []
    assert restore_removed(evening, alice, now=now) == 2
    assert list(check_logs()) == []


@pytest.mark.parametrize("games", [1, 9])
def test_as_many_statements_remove_and_restore_few_as_many(
    alice: User, now: datetime, django_assert_num_queries: Callable[..., AbstractContextManager[None]], games: int
) -> None:
    data = b"\n".join(BROKEN.replace(b"Ada", f"Ada {n}".encode()) for n in range(games))
    upload = uploaded(now, alice, data)
    for turn, kind in ((remove_rejected, "game-hidden"), (restore_removed, "game-shown")):
        with django_assert_num_queries(8):
            assert turn(upload, alice, now=now) == games
        assert Act.objects.filter(kind=kind, by=alice.pk, at=now, game__logs__upload=upload).count() == games
        assert Game.objects.filter(logs__upload=upload, private=kind == "game-hidden").count() == games


def test_corrected_ones_stay(mine: Client, evening: Upload, alice: User, now: datetime) -> None:
    correct(mine, evening, 1)
    assert remove_rejected(evening, alice, now=now) == 1
    assert numbers(evening) == [1, 2]


def test_only_their_uploader_removes_them(
    evening: Upload, browse: Callable[..., Client], bob: User, mallory: User, now: datetime
) -> None:
    make_moderator(mallory, now=now)
    for other in (bob, mallory):
        assert browse(other).post(f"/api/v1/uploads/{evening.pk}/remove-rejected").status_code == 403
        assert "Remove rejected" not in browse(other).get(evening.get_absolute_url()).content.decode()
    assert numbers(evening) == [1, 2, 3]


def test_nothing_is_removed_before_all_have_their_verdict(mine: Client, alice: User, now: datetime) -> None:
    upload = upload_file(THREE, via=Upload.Via.WEB, now=now, uploader=alice)
    answer = mine.post(f"/api/v1/uploads/{upload.pk}/remove-rejected")
    assert (answer.status_code, numbers(upload)) == (409, [1, 2, 3])


def test_programs_remove_them_and_the_report_is_without_them(mine: Client, evening: Upload) -> None:
    assert mine.post(f"/api/v1/uploads/{evening.pk}/remove-rejected").json() == {"removed": 2}
    assert len(mine.get(f"/api/v1/uploads/{evening.pk}/report").content.splitlines()) == 1 + 1
    assert mine.get(f"/api/v1/uploads/{evening.pk}").json()["progress"]["removed"] == 2


def test_an_upload_of_which_nothing_is_left_says_so(mine: Client, alice: User, now: datetime) -> None:
    upload = uploaded(now, alice, BROKEN)
    page = mine.post(f"/uploads/{upload.pk}/remove-rejected/", follow=True).content.decode()
    assert "1 removed" in words_of(page)


def test_rejected_records_of_a_check_are_removed_too(alice: User, now: datetime) -> None:
    upload = uploaded(now, alice, b"\n".join([BROKEN, *duels(1)]), dry_run=True)
    assert remove_rejected(upload, alice, now=now) == 1
    assert numbers(upload) == [2]
    Upload.objects.update(done_at=now.replace(year=2020))
    assert forget_dry_runs(now=now, has_time=lambda: True) == 1
