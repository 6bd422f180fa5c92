"""A player's page for one ladder, and why each rating changed."""

import csv
import io
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Acceptance, Game, Player
from games.moderation import decisions
from games.moderation.decisions import Decision
from games.run import rate_waiting
from tests.factories import duels, record
from tests.games.evenings import play
from tests.games.web.conftest import Read, UploadRecords, words_of

pytestmark = pytest.mark.django_db


def career(name: str, rest: str = "") -> str:
    return f"/players/{Player.objects.get(name=name).pk}/ladders/atta-ants-online/{rest}"


def test_results_are_listed_by_seat_and_by_number_of_players(upload_records: UploadRecords, read: Read) -> None:
    upload_records(*duels(2), record("resign:R resign:Y 3-2-1", names=("Cleo", "Bruno", "Ada"), seats="R Y O"))
    words = read(career("Bruno"))
    assert "By seat Group Games Won Drawn Lost Beaten Y · Yellow 3 2 0 1 83%" in words
    assert "By number of players Group Games Won Drawn Lost Beaten 2 2 2 0 0 100% 3 1 0 0 1 50%" in words


def test_opponents_are_listed_with_head_to_head_results(upload_records: UploadRecords, read: Read) -> None:
    upload_records(*duels(3), record("draw 1-1", names=("Bruno", "Cleo")))
    words = read(career("Bruno"))
    assert "By opponent Opponent Games ahead tied behind Ada 3 3 0 0 Cleo 1 0 1 0" in words


def test_streaks_and_best_rank_are_shown(upload_records: UploadRecords, read: Read) -> None:
    upload_records(*duels(3), record("draw 1-1"))
    words = read(career("Bruno"))
    assert "Current winning streak 0 Longest winning streak 3 Longest unbeaten streak 4" in words
    assert "Best rank 1" in words


def test_score_sheets_are_added_up(upload_records: UploadRecords, read: Read) -> None:
    upload_records(*duels(2))
    assert "Final scores of all games Total Per game in play 4 2.0 at home 8 4.0 eaten 0 0.0" in read(career("Bruno"))


def test_every_game_is_listed_with_place_rating_and_change(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record())
    assert "2026-03-14 15:09 UTC – 1st 165 1326 ± 387 +126 Why?" in read(career("Bruno"))


def test_rating_history_is_drawn_by_game_or_by_day_played(client: Client, now: datetime) -> None:
    games = play([(("Ada", "Bruno"), (1, 2)), (("Ada", "Bruno"), (2, 1)), (("Bruno", "Ada"), (1, 2))], now)
    for game, day in zip(games, ("2025-01-01", "2016-01-01", "2017-02-15"), strict=True):
        Game.objects.filter(pk=game.pk).update(played_from=day, played_until=day)
    by_game, by_day = (client.get(career("Bruno", query)).context["page"] for query in ("", "?by=played"))
    assert [round(point["x"]) for point in by_game.course.points] == [60, 344, 628]
    assert [round(point["x"]) for point in by_day.course.points] == [60, 131, 628]
    assert by_game.course.points[1]["said"].startswith("Game 2, 2026-03-14: place 1 of 2")
    assert by_day.course.points[0]["said"].startswith("Game 1, 2016-01-01: place 1 of 2")
    assert [entry.game.name for entry in by_day.entries] == [games[0].key, games[2].key, games[1].key]
    assert (by_game.runs.winning, by_day.runs.winning, by_game.runs.unbeaten) == (2, 0, 2)


def test_why_a_rating_changed_by_day_played_is_explained_too(client: Client, now: datetime) -> None:
    for game, day in zip(play([(("Ada", "Bruno"), (1, 2))] * 2, now), ("2025-01-01", "2016-01-01"), strict=True):
        Game.objects.filter(pk=game.pk).update(played_from=day, played_until=day)
    why = client.get(career("Bruno", "?by=played")).context["page"].entries[-1].why
    page = client.get(why)
    assert why.endswith("/games/2/?by=played")
    assert "By day played, game 1 of this ladder." in words_of(page.content.decode())
    assert [(seat.player.name, seat.mu_before) for seat in page.context["page"].seats] == [
        ("Ada", "1200.000000"),
        ("Bruno", "1200.000000"),
    ]


def test_undated_games_are_left_out_by_day_played_and_counted(client: Client, now: datetime) -> None:
    games = play([(("Ada", "Bruno"), (1, 2))] * 3, now)
    Game.objects.filter(pk=games[0].pk).update(played_from=None, played_until=None)
    words = words_of(client.get(career("Bruno", "?by=played")).content.decode())
    assert "1 rated game is left out, as its date is not known." in words
    assert len(client.get(career("Bruno", "?by=played")).context["page"].entries) == 2


def test_careers_by_day_played_that_are_not_computed_yet_say_so(
    client: Client, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.ratings.by_day.AT_ONCE", 0)
    play([(("Ada", "Bruno"), (1, 2))], now)
    said, page = "Ratings by day played are being computed.", client.get(career("Bruno", "?by=played"))
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert said in words_of(page.content.decode())
    bruno = Player.objects.get(name="Bruno")
    whole = client.get(f"/players/{bruno.pk}/?by=played")
    assert whole.status_code == 200
    assert said in words_of(whole.content.decode())
    assert "in the order in which they were accepted" not in words_of(whole.content.decode())
    api = f"/api/v1/players/{bruno.pk}"
    for address in (api, f"{api}/ladders/atta-ants-online", f"{api}/ladders/atta-ants-online/table"):
        answer = client.get(f"{address}?by=played")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
        assert client.get(address).status_code == 200


def test_rating_history_can_be_downloaded_as_csv(upload_records: UploadRecords, client: Client) -> None:
    upload_records(*duels(2))
    answer = client.get(client.get(career("Bruno")).context["page"].csv)
    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig"))))
    assert [(row["nth"], row["place"], row["players"], row["rating_before"]) for row in rows] == [
        ("1", "1", "2", "0"),
        ("2", "1", "2", rows[0]["rating"]),
    ]


@pytest.mark.full
def test_older_games_are_linked(upload_records: UploadRecords, read: Read, client: Client) -> None:
    upload_records(*duels(51))
    assert 'href="?before=2#entries"' in client.get(career("Bruno")).content.decode()
    assert read(career("Bruno", "?before=2")).count("Why?") == 1
    assert client.get(career("Bruno", "?before=x")).status_code == 303
    client.cookies["results"] = "hide"
    assert 'href="?before=2&amp;result#entries"' in client.get(career("Bruno", "?result")).content.decode()


@pytest.mark.django_db
def test_unknown_ladder_is_not_found(client: Client, upload_records: UploadRecords) -> None:
    upload_records(record())
    assert client.get(career("Bruno").replace("online", "offline")).status_code == 404
    assert client.get(career("Bruno", "?club=none")).status_code == 404
    assert client.get(f"/players/{Player.objects.get(name='Ada').pk}/games/2/").status_code == 404


def test_rating_change_is_explained_completely(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record())
    words = read(f"/players/{Player.objects.get(name='Bruno').pk}/games/1/")
    assert "Bruno: strength 1200 → 1326 ± 387 (+126), which makes a rating of 165." in words
    assert "Ada 2nd 1200.000000 400.000000 1073.50" in words
    assert "1st Bruno 50.0% 1 +0.5000 Total +0.5000" in words
    assert "the game was rated. Rating 165 (+126), strength 1326.498696 ± 387.163268." in words


def test_numbers_use_the_format_of_the_readers_language(upload_records: UploadRecords, client: Client) -> None:
    upload_records(record())
    client.cookies["language"] = "de"
    page = client.get(f"/players/{Player.objects.get(name='Bruno').pk}/games/1/").content.decode()
    assert "1200,000000" in page
    assert "(τ = 4)" in page
    assert "+0,5000" in page
    assert "1200.0" not in page


def test_a_rating_that_a_correction_changed_names_the_cause(
    upload_records: UploadRecords, read: Read, alice: User, now: datetime
) -> None:
    first, _ = upload_records(record(), record("draw 1-1", names=("Bruno", "Cleo")))
    decisions.annul(Acceptance.objects.get(number=1), Decision(alice, now, "Never played."))
    rate_waiting(now=now)
    words = read(f"/players/{Player.objects.get(name='Bruno').pk}/games/2/")
    assert f"a game was annulled: {first.key}." in words
    assert "Never played." in words
    words = read(f"/players/{Player.objects.get(name='Ada').pk}/games/1/")
    assert "This game is not rated, so no rating changed." in words
    assert "This game is no longer rated." in words
