"""Films: what can be asked for, how they are made, and who sees them."""

from collections.abc import Callable
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from PIL import Image
from rest_framework.test import APIClient

from games import tasks
from games.films import asking, cleaning, making, options
from games.films.asking import ask_for
from games.films.frames import drawings
from games.films.options import FilmError, FilmOptions
from games.models import Film, Game, Upload
from games.records.reads.pictures import scenes_of
from games.records.reads.visibility import NOBODY
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"
Call = Callable[..., APIClient]


@pytest.fixture
def game(db: None, now: datetime) -> Game:
    """A verified game of six actions."""
    return uploaded(record(SHORT), now)


def uploaded(data: bytes, now: datetime, **more: Any) -> Game:
    upload = upload_file(data, via=Upload.Via.WEB, now=now, **more)
    judge_all(now)
    return Game.objects.get(logs__upload=upload)


def make_all(now: datetime) -> int:
    return making.make_due(now=lambda: now, has_time=lambda: True)


def test_a_film_is_asked_for_and_made_and_downloaded(game: Game, call: Call, now: datetime) -> None:
    answer = call().post(f"/api/v1/games/{game.key}/films", {"size": 120, "pace": 500, "last": 4})
    assert (answer.status_code, answer.data["state"], answer.data["file"]) == (202, "waiting", None)
    assert make_all(now) == 1
    film = call().get(answer["Location"]).data
    assert (film["state"], film["first"], film["last"], film["theme"]) == ("made", 0, 4, "light")
    file = call().get(film["file"])
    assert file["Content-Type"] == "image/webp"
    assert len(file.content) == film["bytes"]
    assert file["Content-Disposition"] == f'inline; filename="{game.key}-0-4.webp"'


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_an_animation_has_a_picture_for_each_position_and_repeats(game: Game, form: str, now: datetime) -> None:
    ask_for(game, FilmOptions(format=form, size=160, pace=300), plies=6, by="x", now=now)
    make_all(now)
    with Image.open(BytesIO(bytes(Film.objects.get().data or b""))) as film:
        frames = getattr(film, "n_frames", 1)
        times = []
        for at in range(frames):
            film.seek(at)
            film.load()
            times.append(film.info["duration"])
        assert (max(film.size), film.info["loop"]) == (160, 0)
    assert 2 < frames <= 7
    assert times == [300] * (frames - 1) + [900]


def test_an_mp4_lasts_as_long_as_its_pictures(game: Game, now: datetime) -> None:
    av = pytest.importorskip("av")
    ask_for(game, FilmOptions(format="mp4", size=121, pace=300, last=3), plies=6, by="x", now=now)
    make_all(now)
    with av.open(BytesIO(bytes(Film.objects.get().data or b""))) as film:
        (stream,) = film.streams
        assert stream.codec_context.name == "h264"
        assert (stream.width % 2, stream.height % 2) == (0, 0)
        frames = list(film.decode(stream))
    shown = len(frames) - 1  # the last one comes again
    assert round(float(frames[-1].time) * 1000) == 300 * (shown - 1) + 900


def test_an_action_that_changes_nothing_on_the_board_gives_no_picture(game: Game) -> None:
    scenes = scenes_of(game, NOBODY)
    drawn = drawings([scenes[0], scenes[0], scenes[1]], 0, 2, size=120, theme="dark", pace=100)
    assert [shown for _, shown in drawn] == [100, 300]


def test_a_film_that_exists_is_not_made_again(game: Game, call: Call, now: datetime) -> None:
    first = call().post(f"/api/v1/games/{game.key}/films", {"size": 120})
    make_all(now)
    again = call().post(f"/api/v1/games/{game.key}/films", {"size": 120, "last": 999})
    assert (again.status_code, again.data["id"]) == (200, first.data["id"])
    other = call().post(f"/api/v1/games/{game.key}/films", {"size": 120, "theme": "dark"})
    assert other.data["id"] != first.data["id"]


def test_another_engine_makes_another_film(game: Game, monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    old = ask_for(game, FilmOptions(), plies=6, by="x", now=now)
    monkeypatch.setattr(options, "ENGINE_VERSION", "999")
    assert ask_for(game, FilmOptions(), plies=6, by="x", now=now).pk != old.pk


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"first": 6}, "A film goes from a position to a later one; this one goes from 6 to 6."),
        ({"plies": 400}, "A film can show at most 400 positions; this one has 401."),
        ({"plies": 300, "size": 1080}, "A film of 301 positions can be at most 631 pixels wide."),
        ({"size": 119}, "size is 119; allowed: 120–1080."),
        ({"pace": 5001}, "pace is 5001; allowed: 100–5000."),
        ({"theme": "blue"}, "theme is blue; allowed: light, dark."),
        ({"format": "avi"}, "format is avi; allowed: gif, webp, mp4."),
        ({"first": -1}, "first is -1; allowed: 0–."),
    ],
)
def test_a_film_that_cannot_be_is_refused_with_its_reason(game: Game, asked: Any, said: str, now: datetime) -> None:
    plies = asked.pop("plies", 6)
    with pytest.raises(FilmError) as refused:
        ask_for(game, FilmOptions(**asked), plies=plies, by="x", now=now)
    assert refused.value.sentence == said
    assert not Film.objects.exists()


def test_a_site_without_pyav_says_that_it_makes_no_mp4(
    game: Game, call: Call, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "find_spec", lambda _: None)
    answer = call().post(f"/api/v1/games/{game.key}/films", {"format": "mp4"})
    assert answer.status_code == 400
    assert answer.data["error"]["message"] == "This site makes no MP4. Choose GIF or WebP."
    assert "MP4: a video" not in client.get(f"/games/{game.key}/films/").content.decode()


def test_one_visitor_has_three_films_waiting_at_most(game: Game, call: Call) -> None:
    path = f"/api/v1/games/{game.key}/films"
    assert [call().post(path, {"size": size}).status_code for size in (200, 201, 202, 203)] == [202, 202, 202, 409]
    other = APIClient(REMOTE_ADDR="198.51.100.7")
    assert other.post(path, {"size": 203}).status_code == 202
    assert call().post(path, {"size": 200}).status_code == 202  # it waits already


def test_all_visitors_together_have_only_so_many_waiting(
    game: Game, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "MOST_WAITING", 1)
    path = f"/api/v1/games/{game.key}/films"
    assert call().post(path, {"size": 200}).status_code == 202
    full = APIClient(REMOTE_ADDR="198.51.100.7").post(path, {"size": 201})
    assert (full.status_code, full["Retry-After"]) == (503, "5")
    assert full.data["error"]["message"] == "Many films are being made. Try again later."


def test_who_asked_is_a_digest_and_is_forgotten_with_the_work(game: Game, call: Call, now: datetime) -> None:
    call().post(f"/api/v1/games/{game.key}/films", {"size": 120})
    assert "127.0.0.1" not in Film.objects.get().asked_by
    assert len(Film.objects.get().asked_by) == 32
    make_all(now)
    assert Film.objects.get().asked_by == ""


def test_a_film_of_a_private_game_is_only_for_those_who_see_the_game(
    alice: User, mallory: User, call: Call, now: datetime
) -> None:
    game = uploaded(record(SHORT), now, uploader=alice, options=UploadOptions(private=True))
    film = call(alice).post(f"/api/v1/games/{game.key}/films", {"size": 120}).data
    make_all(now)
    for path in (film["url"], f"{film['url']}/file", f"/games/{game.key}/films/{film['id']}/"):
        assert [call(user).get(path).status_code for user in (None, mallory)] == [404, 404]
    assert call(alice).get(f"{film['url']}/file").status_code == 200
    assert call(mallory).post(f"/api/v1/games/{game.key}/films").status_code == 404


def test_a_film_is_found_only_under_its_own_game(game: Game, call: Call, now: datetime) -> None:
    film = ask_for(game, FilmOptions(), plies=6, by="x", now=now)
    other = uploaded(record(SHORT.replace("R2:E", "R2:N")), now)
    assert call().get(f"/api/v1/games/{other.key}/films/{film.pk}").status_code == 404


def test_of_a_record_of_which_nothing_could_be_played_there_is_no_film(
    call: Call, client: Client, now: datetime, db: None
) -> None:
    game = uploaded(record(rules="unheard-of"), now)
    answer = call().post(f"/api/v1/games/{game.key}/films")
    assert answer.status_code == 409
    assert answer.data["error"]["message"] == "No action of this game could be played."
    assert client.get(f"/games/{game.key}/films/").status_code == 404


def test_a_worker_that_dies_is_replaced_once_and_then_the_film_is_given_up(game: Game, now: datetime) -> None:
    ask_for(game, FilmOptions(size=120), plies=6, by="x", now=now)
    assert making._claimed(now) is not None
    assert making._claimed(now) is None
    later = now + making.LEASE
    second = making._claimed(later)
    assert second is not None
    assert second.attempts == 2
    assert making._claimed(later + making.LEASE) is None
    assert Film.objects.get().state == "failed"


def test_a_worker_that_was_late_stores_nothing(game: Game, now: datetime) -> None:
    ask_for(game, FilmOptions(size=120), plies=6, by="x", now=now)
    late = making._claimed(now)
    assert late is not None
    making._claimed(now + making.LEASE)
    assert not making._make(late, lambda: now)
    assert Film.objects.get().state == "making"


def test_a_film_that_failed_can_be_asked_for_again(
    game: Game, client: Client, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    film = ask_for(game, FilmOptions(size=120), plies=6, by="x", now=now)
    with monkeypatch.context() as broken:
        broken.setattr(making, "encoded", lambda *_: 1 / 0)
        make_all(now)
    page = client.get(f"/games/{game.key}/films/{film.pk}/").content.decode()
    assert "This film could not be made. Try a shorter or smaller one." in page
    assert ask_for(game, FilmOptions(size=120), plies=6, by="x", now=now).state == "waiting"
    assert make_all(now) == 1


def test_films_are_forgotten_a_week_after_they_were_last_asked_for(game: Game, now: datetime) -> None:
    ask_for(game, FilmOptions(size=120), plies=6, by="x", now=now)
    asked = ask_for(game, FilmOptions(size=121), plies=6, by="x", now=now)
    ask_for(game, FilmOptions(size=121), plies=6, by="x", now=now + timedelta(days=1))
    assert cleaning.forget_old(now=now + timedelta(days=7)) == 1
    assert Film.objects.get().pk == asked.pk


def test_films_asked_for_longest_ago_make_room(game: Game, monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    for at, size in enumerate((120, 121, 122)):
        ask_for(game, FilmOptions(size=size), plies=6, by="x", now=now + timedelta(hours=at))
    Film.objects.update(bytes=10, state=Film.State.MADE, data=b"x", made_at=now)
    ask_for(game, FilmOptions(size=123), plies=6, by="x", now=now - timedelta(hours=1))
    monkeypatch.setattr(cleaning, "MOST_BYTES", 20)
    assert cleaning.forget_old(now=now) == 1
    assert sorted(Film.objects.values_list("size", flat=True)) == [121, 122, 123]


def test_room_is_made_as_soon_as_films_are_made(game: Game, monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(cleaning, "MOST_BYTES", 0)
    ask_for(game, FilmOptions(size=120), plies=6, by="x", now=now)
    assert tasks.make_films() == 1
    assert not Film.objects.exists()


@pytest.mark.full
def test_the_page_asks_waits_and_shows_the_film_without_scripts(game: Game, client: Client, now: datetime) -> None:
    path = f"/games/{game.key}/films/"
    assert f'href="{path}?ply=0"' in client.get(f"/games/{game.key}/").content.decode()
    assert 'name="first" id="id_first" value="0"' in client.get(path).content.decode()
    asked = {"format": "gif", "first": 0, "last": 3, "size": 320, "theme": "dark", "pace": 900}
    answer = client.post(path, asked)
    waiting = client.get(answer["Location"])
    assert (answer.status_code, waiting["Refresh"]) == (303, "3")
    assert "The film is being made. This page reloads by itself." in waiting.content.decode()
    make_all(now)
    done = client.get(answer["Location"])
    assert "Refresh" not in done
    assert f'src="/api/v1{answer["Location"].rstrip("/")}/file"' in done.content.decode()


def test_the_form_says_what_is_wrong(game: Game, client: Client) -> None:
    answer = client.post(
        f"/games/{game.key}/films/", {"format": "gif", "first": 4, "last": 2, "size": 320, "theme": "dark", "pace": 900}
    )
    assert answer.status_code == 422
    assert "this one goes from 4 to 2." in answer.content.decode()
