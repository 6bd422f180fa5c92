"""The list of games."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.factories import BROKEN, duels, record
from tests.games.web.conftest import Read, UploadRecords, words_of


@pytest.mark.django_db
def test_empty_list_explains_what_will_appear(read: Read) -> None:
    assert "A game appears here as soon as it is checked" in read("/games/")


def test_row_shows_verdict_players_places_and_dates(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record("NS@0,2 resign:R 2-1", Date="2026.02.01"))
    row = "verified R Ada 2nd Y Bruno 1st Atta Ants, online rules 2 actions 2026-02-01"
    assert row in read("/games/")


def test_rejected_row_shows_the_reason(upload_records: UploadRecords, read: Read) -> None:
    upload_records(BROKEN)
    assert "rejected R Ada Y Bruno ATTA-MOVE-1 Ant R1 has already moved this turn." in read("/games/")


def test_record_with_invalid_tags_shows_no_names(upload_records: UploadRecords, read: Read) -> None:
    upload_records(b'[Game "Chess"]\n\n1. e4 *\n')
    assert "rejected No names found AGN-TAG-2 Tag Rules is missing." in read("/games/")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("player=RUN", {"Bruno"}),
        ("verdict=unfinished", {"Cleo"}),
        ("edition=2003", {"Dora"}),
        ("since=2026-03-01&until=2026-03-31", {"Cleo"}),
        ("player=nobody", set()),
    ],
)
def test_filters_select_matching_games(upload_records: UploadRecords, read: Read, query: str, names: set[str]) -> None:
    upload_records(
        record(names=("Ada", "Bruno"), Date="2026.02.01"),
        record("NS@0,2 *", names=("Ada", "Cleo"), Date="2026.03.05"),
        record(names=("Ada", "Dora"), rules="2003"),
    )
    words = read(f"/games/?{query}")
    assert {name for name in ("Bruno", "Cleo", "Dora") if f"Y {name}" in words} == names


def test_list_filtered_by_player_number_shows_the_name(upload_records: UploadRecords, read: Read) -> None:
    (game, _) = upload_records(record(names=("Ada", "Bruno")), record("NS@0,2 *", names=("Adam", "Cleo")))
    words = read(f"/games/?player=%23{game.seatings.get(seat=0).player_id}")
    assert "Games of Ada" in words
    assert "Adam" not in words


@pytest.mark.django_db
@pytest.mark.parametrize("player", ["%23999", "%23x", "%2399999999999999999999", "%23"])
def test_unknown_player_number_matches_no_games(read: Read, player: str) -> None:
    assert "No games match these filters." in read(f"/games/?player={player}")


@pytest.mark.full
def test_paging_keeps_the_filter_in_both_directions(
    upload_records: UploadRecords, client: Client, now: datetime
) -> None:
    for minute, duel in enumerate(duels(52)):
        upload_records(duel, at=now + timedelta(minutes=minute))
    first = client.get("/games/?player=ada&verdict=verified&since=").content.decode()
    assert first.count('class="opens"') == 50
    older = first.split('class="pages-older" href="')[1].split('"')[0].replace("&amp;", "&")
    assert older.startswith("?player=ada&verdict=verified&before=")
    second = client.get(f"/games/{older}").content.decode()
    assert second.count('class="opens"') == 2
    assert "Newer" in words_of(second)


@pytest.mark.django_db
def test_invalid_page_mark_is_explained(read: Read) -> None:
    assert "This page does not exist: the value of" in read("/games/?before=yesterday", status=400)


@pytest.mark.django_db
def test_invalid_date_is_reported_at_its_field(read: Read) -> None:
    words = read("/games/?since=yesterday", status=400)
    assert "Played from Enter a valid date." in words


def test_list_uses_as_many_queries_for_ten_games_as_for_one(
    upload_records: UploadRecords, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    upload_records(*duels(1), BROKEN)
    with django_assert_num_queries(4):
        client.get("/games/")
    upload_records(*duels(10), BROKEN)
    with django_assert_num_queries(4):
        client.get("/games/")


def test_filtered_games_can_be_exported(upload_records: UploadRecords, client: Client) -> None:
    upload_records(*duels(2))
    page = client.get("/games/?player=ada&verdict=verified&since=").content.decode()
    address = page.split('<a href="/api/v1/games/export')[1].split('"')[0].replace("&amp;", "&")
    assert address == "?player=ada&verdict=verified&format=agn"
    assert client.get(f"/api/v1/games/export{address}").content.count(b"[Game ") == 2


def test_rejected_records_are_not_offered_for_export(upload_records: UploadRecords, client: Client) -> None:
    upload_records(BROKEN)
    assert "/api/v1/games/export" not in client.get("/games/?verdict=rejected").content.decode()
