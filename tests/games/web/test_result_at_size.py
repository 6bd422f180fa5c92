"""An upload of many records: broken rules summarized, records filtered by verdict."""

from datetime import datetime
from itertools import chain, repeat

import pytest
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.consent import privacy
from games.models import MoveLog, Upload
from games.records.reads.visibility import NOBODY
from games.uploads.reads import results
from games.uploads.reads.results import Choice, numbers_of, slice_of
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import Read
from tests.plans import plans

pytestmark = pytest.mark.django_db
WRONG = record("resign:R 1-2")


def uploaded(*records: bytes, now: datetime) -> Upload:
    upload = upload_file(b"\n".join(records), via=Upload.Via.WEB, now=now, filename="archive.agn")
    judge_all(now)
    return upload


@pytest.fixture
def mixed(now: datetime) -> Upload:
    """Of every ten records, eight are verified, one breaks a rule, one is unfinished; every 50th breaks another."""
    tail = {8: BROKEN, 9: record("NS@0,2 *")}
    games = iter(list(duels(160)))
    of = (tail[at % 10] if at % 10 in tail else next(games) for at in range(200))
    return uploaded(*(WRONG if at % 50 == 10 else one for at, one in enumerate(of)), now=now)


def shown(upload: Upload, choice: Choice, *, after: int = 0, size: int = 5) -> list[int]:
    return [log.number for log in slice_of(upload, NOBODY, choice, after=after, size=size).logs]


def test_broken_rules_are_summarized_with_first_examples(read: Read, mixed: Upload) -> None:
    words = read(f"/uploads/{mixed.pk}/")
    assert "156 verified 20 unfinished 24 rejected" in words
    title = "ATTA-MOVE-1 An own ant, once a turn NDJSON with ATTA-MOVE-1 as the first broken rule"
    moved = f"20 with ATTA-MOVE-1 as the first broken rule {title} game 9 game 19 game 29"
    wrong = "4 with AGN-RESULT-1 as the first broken rule AGN-RESULT-1 "
    assert words.index(moved) < words.index(wrong)
    assert "game 11 game 61 game 111" in words


@pytest.mark.full
def test_counts_and_rules_link_to_their_records(client: Client, mixed: Upload) -> None:
    address = f"/uploads/{mixed.pk}/"
    html = client.get(address).content.decode()
    for query, count in (("show=rejected", 24), ("show=unfinished", 20), ("show=rejected&amp;rule=AGN-RESULT-1", 4)):
        assert f'href="{address}?{query}"' in html
        assert client.get(f"{address}?{query.replace('&amp;', '&')}").content.decode().count('id="record-') == count
    report = f"/api/v1/uploads/{mixed.pk}/report?verdict=rejected&rule=AGN-RESULT-1"
    assert f'href="{report.replace("&", "&amp;")}"' in html
    assert len(client.get(report).content.splitlines()) == 4 + 1


@pytest.mark.full
def test_filter_is_named_and_can_be_removed(read: Read, mixed: Upload) -> None:
    assert "Only records that break AGN-RESULT-1. Show all" in read(
        f"/uploads/{mixed.pk}/?show=rejected&rule=AGN-RESULT-1"
    )
    assert "Shown: unfinished. Show all" in read(f"/uploads/{mixed.pk}/?show=unfinished")


@pytest.mark.parametrize("query", ["show=nothing", "show=rejected'&rule=x", "rule=AGN-RESULT-1", "show="])
def test_invalid_filter_shows_all_records(client: Client, mixed: Upload, query: str) -> None:
    assert client.get(f"/uploads/{mixed.pk}/?{query}").content.decode().count('id="record-') == 100


@pytest.mark.full
def test_filter_by_an_unbroken_rule_shows_no_records(client: Client, mixed: Upload) -> None:
    assert 'id="record-' not in client.get(f"/uploads/{mixed.pk}/?show=rejected&rule=ATTA-MOVE-2").content.decode()


@pytest.mark.full
def test_filtered_records_can_be_paged_forwards_and_backwards(mixed: Upload) -> None:
    rejected = Choice("rejected")
    first = slice_of(mixed, NOBODY, rejected, size=5)
    second = slice_of(mixed, NOBODY, rejected, after=first.next or 0, size=5)
    assert [log.number for log in chain(first.logs, second.logs)] == [9, 11, 19, 29, 39, 49, 59, 61, 69, 79]
    assert first.previous is None
    assert shown(mixed, rejected, after=second.previous or 0) == [log.number for log in first.logs]


def test_last_filtered_page_has_no_next_page(mixed: Upload) -> None:
    assert slice_of(mixed, NOBODY, Choice("rejected", "AGN-RESULT-1"), size=4).next is None
    assert slice_of(mixed, NOBODY, Choice("verified"), after=190, size=10).next is None


def test_search_for_verified_records_is_limited_per_page(mixed: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "REACH", 20)
    found = slice_of(mixed, NOBODY, Choice("verified"), after=0, size=100)
    assert (len(found.logs), found.next, found.previous) == (15, 20, None)
    assert [found.next for found in [slice_of(mixed, NOBODY, Choice("verified"), after=190)]] == [None]


def test_quarantined_records_can_be_filtered(mixed: Upload) -> None:
    MoveLog.objects.filter(upload=mixed, number__in=[3, 77]).update(state="quarantined")
    assert shown(mixed, Choice("quarantined")) == [3, 77]


def test_records_of_hidden_games_are_not_shown_to_others(now: datetime, alice: object) -> None:
    upload = upload_file(b"\n".join(duels(20)), via=Upload.Via.WEB, now=now, uploader=alice)  # type: ignore[arg-type]
    judge_all(now)
    log = upload.logs.select_related("game").get(number=2)
    privacy.hide(log.game, alice, now=now)  # type: ignore[arg-type]
    assert shown(upload, Choice("verified")) == [1, 3, 4, 5]


def test_small_upload_has_no_summary_or_filters(client: Client, now: datetime) -> None:
    html = client.get(uploaded(*duels(3), BROKEN, now=now).get_absolute_url()).content.decode()
    assert "Broken rules" not in html
    assert "show=rejected" not in html


def test_progress_of_a_large_waiting_upload_is_streamed(client: Client, now: datetime) -> None:
    small, large = (
        upload_file(b"\n".join(duels(count)), via=Upload.Via.WEB, now=now).get_absolute_url() for count in (100, 101)
    )
    assert "data-watch" not in client.get(small).content.decode()
    watched = f'data-watch="/api/v1{large.removesuffix("/")}/progress"'
    assert watched in client.get(large).content.decode()


@pytest.mark.full
def test_filtered_page_uses_no_more_queries_for_more_games(
    client: Client, now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Of a large upload nobody is invited, so that the queries for its players are not made."""
    for count, queries in ((20, 21), (90, 21), (150, 16)):
        upload = uploaded(*duels(count), *repeat(BROKEN, 5), WRONG, now=now)
        with django_assert_num_queries(queries):
            client.get(f"{upload.get_absolute_url()}?show=rejected")


@pytest.mark.parametrize("choice", [Choice("rejected"), Choice("unfinished"), Choice("rejected", "ATTA-MOVE-1")])
def test_filtered_records_are_found_by_an_index(mixed: Upload, choice: Choice) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_movelog")
    *_, plan = plans(lambda: numbers_of(mixed, choice, after=50, size=100))
    assert "log_not_verified" in plan.text
