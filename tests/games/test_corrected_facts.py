"""Facts about a game are corrected by its uploader, and date and event by a club's organiser; never the play."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from games.clubs import running
from games.clubs.correcting import correct_facts
from games.clubs.organising import accept_judged_uploads
from games.clubs.reads.points import points_table
from games.models import Club, ClubMember, FactChange, Game, MoveLog, Upload
from games.ratings.acceptance import accept_due
from games.records.reads.facts import corrections_in
from games.uploads.origin import SCORED, UploadOptions
from tests.games.judging import judge_all
from tests.games.test_days_of_play import AT, file_of
from tests.games.test_fsck import fsck
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


def upload(data: bytes, by: User | None, *, options: UploadOptions = SCORED, at: datetime = AT) -> Upload:
    found = upload_file(data, via=Upload.Via.WEB, now=at, uploader=by, options=options)
    judge_all(at)
    return found


def dates() -> list[date | None]:
    return list(Game.objects.order_by("pk").values_list("played_from", flat=True))


WRONG, RIGHT = file_of("2025.05.09"), file_of("2026.05.09")


def test_the_uploaders_later_facts_replace_the_earlier_ones(alice: User) -> None:
    upload(WRONG, alice)
    upload(RIGHT.replace(b"[Site", b'[Event "Cup"]\n[Site').replace(b"resign:R", b"resign:R {Why?}"), alice)
    assert dates() == [date(2026, 5, 9)]
    change = FactChange.objects.get()
    assert change.changes == [
        {"tag": "Event", "before": "", "after": "Cup"},
        {"tag": "Date", "before": "2025.05.09", "after": "2026.05.09"},
    ]
    assert (change.comments, change.by) == (True, alice)
    assert fsck() == []


def test_a_text_typed_in_another_form_is_no_correction(alice: User) -> None:
    named = RIGHT.replace(b"[Site", '[Event "Caf\u00e9 Cup"]\n[Site'.encode())
    upload(named, alice)
    upload(named.replace("Caf\u00e9 Cup".encode(), "Cafe\u0301\u00a0Cup ".encode()), alice)
    assert Game.objects.count() == 1
    assert [change.changes for change in FactChange.objects.all()] == [[]]
    assert [corrections_in(one) for one in Upload.objects.all()] == [0, 0]


def test_others_correct_nothing_and_neither_does_an_upload_by_nobody(alice: User, bob: User) -> None:
    upload(WRONG, alice)
    for other in (bob, None):
        upload(RIGHT, other)
    assert dates() == [date(2025, 5, 9)]
    upload(file_of("", "2025.01.01"), None)
    upload(file_of("", "2025.01.02"), None)
    assert dates() == [date(2025, 5, 9), date(2025, 1, 1)]
    assert not FactChange.objects.exists()


def test_the_same_words_again_correct_nothing(alice: User) -> None:
    upload(WRONG, alice)
    upload(WRONG + b"\n" + file_of("", "2025.05.10").split(b"\n\n", 2)[-1], alice)
    assert not FactChange.objects.exists()


def test_upload_page_report_api_and_game_say_what_was_corrected(alice: User, client: Client) -> None:
    first, later = upload(WRONG, alice), upload(RIGHT, alice)
    said, game = "Date corrected: 2025-05-09 → 2026-05-09", Game.objects.get()
    page = client.get(f"/uploads/{later.pk}/").content.decode()
    assert (said in page, page.count("2026-05-09") > 1) == (True, True)
    assert "2026-05-09" in client.get(f"/uploads/{first.pk}/").content.decode()
    for form in ("ndjson", "json"):
        report = b"".join(client.get(f"/api/v1/uploads/{later.pk}/report?format={form}")).decode()
        assert said in report
    answer = client.get(f"/api/v1/uploads/{later.pk}").json()
    assert (answer["corrections"], answer["warnings"]) == (1, [])
    whole = client.get(game.get_absolute_url()).content.decode()
    assert (said in whole, '"dateCreated": "2026-05-09"' in whole) == (True, True)
    facts = client.get(f"/api/v1/games/{game.key}/facts").json()
    assert (facts["date"], facts["changes"][0]["by"], facts["changes"][0]["sentence"]) == ("2026.05.09", "alice", said)
    assert '[Date "2026.05.09"]' in client.get(f"/api/v1/games/{game.key}/canonical").content.decode()
    exported = b"".join(client.get("/api/v1/games/export?format=agn")).decode()
    assert '[Date "2026.05.09"]' in exported


def test_many_records_say_it_in_their_rows(alice: User, client: Client) -> None:
    upload(file_of("2025.05.09", "2025.05.10"), alice)
    later = upload(file_of("2026.05.09", "2025.05.10"), alice, at=AT + timedelta(hours=1))
    page = client.get(f"/uploads/{later.pk}/").content.decode()
    assert ("Date corrected: 2025-05-09 → 2026-05-09" in page, "Duplicate: uploaded before" in page) == (True, True)


def test_a_private_correction_is_shown_to_nobody_once_the_game_is_public(alice: User, client: Client) -> None:
    private = UploadOptions(private=True)
    upload(WRONG, alice, options=private)
    upload(file_of("2025.05.08"), alice, options=private)
    upload(RIGHT, alice)
    game = Game.objects.get()
    assert (game.private, game.played_from) == (False, date(2026, 5, 9))
    assert "2025-05" not in client.get(game.get_absolute_url()).content.decode()
    assert fsck() == []


@pytest.fixture
def counted(alice: User) -> tuple[Club, Game]:
    club = running.found(slug="hall", name="Hall", meets="", main_ruleset="", by=alice, now=AT)
    upload(WRONG, alice, options=UploadOptions(club=club))
    accept_judged_uploads(now=AT, has_time=lambda: True)
    accept_due(now=AT, watch=False)
    return club, Game.objects.get()


def test_an_organiser_corrects_date_and_event_and_the_evening_follows(
    counted: tuple[Club, Game], bob: User, alice: User, browse: Callable[..., Client]
) -> None:
    club, game = counted
    give_bob_the_club(club, bob, alice)
    page = browse(bob)
    assert "Correct date or event" in page.get(game.get_absolute_url()).content.decode()
    for value in ("2026-05-09", "2025.05.09", "2026.05.09"):
        page.post(f"/games/{game.key}/facts/", {"club": "hall", "date": value, "event": "Cup"})
    assert points_table(club).evenings == (date(2026, 5, 9),)
    found = APIClient().get(f"/api/v1/games/{game.key}/facts").json()
    assert [one["sentence"] for one in found["changes"]] == [
        "Event added: Cup; Date corrected: 2025-05-09 → 2026-05-09", "Date corrected: 2026-05-09 → 2025-05-09",
        "Date corrected: 2025-05-09 → 2026-05-09",
    ]  # fmt: skip
    assert {(one["by"], one["club"]) for one in found["changes"]} == {("bob", "Hall")}
    game.refresh_from_db()
    assert (Game.objects.count(), game.scored, game.confirmations.count()) == (1, True, 0)
    assert fsck() == []


def give_bob_the_club(club: Club, bob: User, alice: User) -> None:
    link = club.links.get()
    member = running.join(link, bob, now=AT)
    running.give_role(member, ClubMember.Role.ORGANISER, by=alice, now=AT)


def test_the_api_refuses_strangers_other_games_and_impossible_dates(
    counted: tuple[Club, Game], alice: User, bob: User
) -> None:
    _, game = counted
    api, path = APIClient(), f"/api/v1/games/{game.key}/facts"
    api.force_authenticate(bob)
    assert api.patch(path, {"club": "hall", "date": "2026.05.09"}).json()["error"]["code"] == "not_organiser"
    api.force_authenticate(alice)
    for wrong in ("2026.02.30", "2999.01.01"):
        assert api.patch(path, {"club": "hall", "date": wrong}).json()["error"]["code"] == "bad_facts"
    assert api.patch(path, {"club": "hall", "event": "Cup"}).json()["event"] == "Cup"
    assert api.patch(path, {"club": "hall", "event": ""}).json()["event"] == ""
    upload(file_of("", "2026.05.10"), None)
    other = Game.objects.exclude(pk=game.pk).get()
    answer = api.patch(f"/api/v1/games/{other.key}/facts", {"club": "hall", "event": "Cup"})
    assert answer.json()["error"]["code"] == "not_counted"


def test_the_uploaders_old_words_do_not_undo_the_organisers_correction(
    counted: tuple[Club, Game], bob: User, alice: User
) -> None:
    club, game = counted
    give_bob_the_club(club, bob, alice)
    correct_facts(game, club, {"date": "2026.05.09"}, by=bob, now=AT)
    upload(WRONG + b"\n", alice)
    assert dates() == [date(2026, 5, 9)]


def test_a_file_of_a_club_whose_dates_run_backwards_warns(alice: User, client: Client) -> None:
    club = running.found(slug="hall", name="Hall", meets="", main_ruleset="", by=alice, now=AT)
    data = file_of("2026.05.09", "2026.05.??", "2062.05.16", "2026.05.23")
    found = upload(data.replace(b"2062", b"2025"), alice, options=UploadOptions(club=club))
    said = "The dates run backwards: game 3 (2025-05-16) comes after game 2 (2026-05-01)."
    assert said in client.get(f"/uploads/{found.pk}/").content.decode()
    assert client.get(f"/api/v1/uploads/{found.pk}").json()["warnings"] == [said]
    assert said in b"".join(client.get(f"/api/v1/uploads/{found.pk}/report")).decode()
    assert found.logs.filter(verdict="verified").count() == 4
    other = upload(file_of("2026.05.09", "2026.05.02"), None)
    assert client.get(f"/api/v1/uploads/{other.pk}").json()["warnings"] == []


def test_the_warning_reads_the_days_of_the_file_not_those_of_games_known_before(alice: User, client: Client) -> None:
    upload(file_of("2026.05.30"), None)
    club = running.found(slug="hall", name="Hall", meets="", main_ruleset="", by=alice, now=AT)
    found = upload(file_of("2026.05.09", "2026.05.10"), alice, options=UploadOptions(club=club))
    assert MoveLog.objects.filter(game=found.logs.get(number=1).game).count() == 2
    assert client.get(f"/api/v1/uploads/{found.pk}").json()["warnings"] == []


def test_both_records_may_be_in_one_file(alice: User) -> None:
    upload(WRONG + b"\n" + RIGHT, alice)
    assert (dates(), FactChange.objects.count()) == ([date(2026, 5, 9)], 1)
    assert fsck() == []
