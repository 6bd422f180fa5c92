"""The results page of an upload."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import MoveLog, Upload
from games.verification import queue
from games.web.uploads.result import wait_before
from tests.factories import BROKEN, duels, record
from tests.games.uploading import upload_file
from tests.games.web.conftest import Read, words_of

pytestmark = pytest.mark.django_db


def waiting(*records: bytes, at: datetime | None = None) -> Upload:
    return upload_file(b"\n".join(records), via=Upload.Via.WEB, now=at or timezone.now(), filename="evening.agn")


def judge(*, most: int = 1000) -> None:
    for claim in queue.claim()[:most]:
        queue.judge(claim, now=timezone.now())


def test_waiting_upload_says_so_and_polls_for_updates(client: Client) -> None:
    upload = waiting(record())
    html = client.get(f"/uploads/{upload.pk}/").content.decode()
    assert "0 of 1 checked." in words_of(html)
    assert (
        f'hx-get="/uploads/{upload.pk}/?after=0&amp;look=1&amp;seen=0&amp;acts=" hx-trigger="load delay:400ms' in html
    )
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in html


def test_finished_upload_stops_polling(client: Client) -> None:
    upload = waiting(record())
    judge()
    html = client.get(f"/uploads/{upload.pk}/").content.decode()
    assert "Verified: " in words_of(html)
    assert "hx-get" not in html
    assert "http-equiv" not in html


def test_every_record_has_its_verdict_its_reason_and_its_page(read: Read) -> None:
    upload = waiting(record(), BROKEN, record("NS@0,2 *", names=("Cleo", "Dora")))
    judge()
    words = read(f"/uploads/{upload.pk}/")
    assert "All 3 games checked 1 verified 1 unfinished 1 rejected" in words
    assert "1 1 verified R Ada Y Bruno Atta Ants, online rules 1 action Watch game 1" in words
    assert "2 11 rejected R Ada Y Bruno Ant R1 has already moved this turn. ATTA-MOVE-1 line 19, column 18" in words
    assert "See why game 2 3 21 unfinished" in words
    assert "3 21 unfinished R Cleo Y Dora" in words


def test_duplicate_with_other_players_is_marked(read: Read, now: datetime) -> None:
    waiting(record(), at=now)
    judge()
    upload = waiting(record(names=("Eve", "Bruno")))
    judge()
    assert "Verified: its 1 action is legal" in (words := read(f"/uploads/{upload.pk}/"))
    assert "Duplicate with other players: see who played" in words


def test_second_copy_within_a_file_is_marked_as_duplicate(read: Read) -> None:
    upload = waiting(record(), record())
    judge()
    assert read(f"/uploads/{upload.pk}/").count("Duplicate: uploaded before") == 1


def test_stalled_upload_says_that_nothing_is_lost(read: Read) -> None:
    upload = waiting(record(), at=timezone.now() - timedelta(minutes=1))
    said = "This is taking longer than usual: the upload is waiting for a worker. Nothing is lost."
    assert said in read(f"/uploads/{upload.pk}/")


def test_slow_but_progressing_upload_is_not_called_stalled(read: Read) -> None:
    upload = waiting(*duels(3), at=timezone.now() - timedelta(minutes=1))
    judge(most=1)
    assert "longer than usual" not in read(f"/uploads/{upload.pk}/")


def test_quarantined_record_is_explained_without_internal_details(read: Read) -> None:
    upload = waiting(record())
    MoveLog.objects.update(state="quarantined", failure="MemoryError: /srv/atta", attempts=3)
    words = read(f"/uploads/{upload.pk}/")
    assert "set aside Verification failed three times" in words
    assert "MemoryError" not in words


def news(client: Client, upload: Upload, **query: str) -> str:
    return client.get(f"/uploads/{upload.pk}/", query, headers={"HX-Request": "true"}).content.decode()


def test_poll_without_news_returns_only_the_next_poll(client: Client) -> None:
    upload = waiting(record())
    html = news(client, upload, seen="0", look="4")
    assert "look=5" in html
    assert "hx-swap-oob" not in html
    assert "<html" not in html


def test_poll_with_news_returns_rows_and_progress(client: Client) -> None:
    upload = waiting(record())
    judge()
    html = news(client, upload, seen="0", look="4")
    assert '<div id="results" hx-swap-oob="innerHTML">' in html
    assert "Verified: " in html
    assert "hx-get" not in html


def test_polling_slows_down_over_time() -> None:
    assert [wait_before(look) for look in (1, 2, 9, 20, 100, 10_000)] == [400, 1000, 1000, 3000, 15000, 15000]


def test_large_upload_is_shown_a_hundred_records_per_page(client: Client) -> None:
    upload = waiting(*duels(205))
    first = client.get(f"/uploads/{upload.pk}/").content.decode()
    assert first.count('id="record-') == 100
    assert f'href="/uploads/{upload.pk}/?after=100"' in first
    last = client.get(f"/uploads/{upload.pk}/?after=200").content.decode()
    assert last.count('id="record-') == 5
    assert f'href="/uploads/{upload.pk}/?after=100"' in last
    assert "look" in last
    assert "after=200&amp;look" in last


@pytest.mark.parametrize("after", ["x", "-5", "99999999999999999999"])
def test_invalid_page_shows_the_first_records(client: Client, after: str) -> None:
    upload = waiting(record())
    assert 'id="record-1"' in client.get(f"/uploads/{upload.pk}/?after={after}").content.decode()


def test_unknown_upload_is_not_found(read: Read) -> None:
    assert "Page not found" in read(f"/uploads/{uuid4()}/", status=404)


@pytest.mark.full
def test_the_number_of_queries_does_not_grow_with_the_number_of_games(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (2, 40):
        upload = waiting(*duels(count))
        judge()
        with django_assert_num_queries(15):
            client.get(f"/uploads/{upload.pk}/")
