"""The page of a game with its replay."""

import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.web.game.replay import _board
from tests.factories import BROKEN, record
from tests.games.web.conftest import Read, UploadRecords, words_of
from tests.strategies import FIXTURES

SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"


def test_a_game_opens_at_its_beginning_and_keeps_its_result_for_the_end(
    upload_records: UploadRecords, client: Client
) -> None:
    (game,) = upload_records(record(SHORT))
    begin, step, end = (client.get(f"/games/{game.key}/{query}").content.decode() for query in ("", "?ply=0", "?ply=6"))
    large, line = "data-begin", '<span class="game-won" data-at-the-end hidden>'
    assert 'data-ply="0" data-last="6"' in begin
    assert [large in html for html in (begin, step, end)] == [True, False, False]
    assert [line in html for html in (begin, step, end)] == [True, True, False]
    assert [html.count("data-at-the-end hidden") for html in (begin, end)] == [6, 0], (
        "places, the line, ratings and the story"
    )


def test_the_last_position_is_shown_with_the_result(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(SHORT))
    html = client.get(f"/games/{game.key}/?ply=6").content.decode()
    assert 'data-ply="6" data-last="6"' in html
    assert "Yellow resigns and leaves the game. The game is over: Red wins" in words_of(html)
    assert 'href="?ply=5"' in html


def test_requested_ply_is_shown(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(SHORT))
    html = client.get(f"/games/{game.key}/?ply=2").content.decode()
    assert 'data-ply="2"' in html
    assert '<a class="move" data-ply="2" href="?ply=2" aria-current="step">R1:N</a>' in html
    assert re.search(r'<p class="caption"[^>]*>R1 walks north\.</p>', html)


def test_board_is_drawn_once_for_all_readers_of_a_language(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(SHORT))
    _board.cache_clear()
    client.get(f"/games/{game.key}/")
    client.force_login(User.objects.create_user("reader"))
    client.get(f"/games/{game.key}/")
    german = client.get(f"/games/{game.key}/", headers={"Accept-Language": "de"}).content.decode()

    assert (_board.cache_info().hits, _board.cache_info().misses) == (1, 2)
    assert '<html lang="de"' in german


@pytest.mark.parametrize("asked", ["x", "-1", "999", "99999999999", "", "٣"])
def test_invalid_ply_shows_the_end_of_the_game(upload_records: UploadRecords, client: Client, asked: str) -> None:
    (game,) = upload_records(record(SHORT))
    assert 'data-ply="6"' in client.get(f"/games/{game.key}/", {"ply": asked}).content.decode()


def test_moves_are_grouped_by_rounds_and_turns_with_comments(upload_records: UploadRecords, read: Read) -> None:
    (game,) = upload_records(record(SHORT))
    assert "1. R NS@0,2 R1:N a brave ant R2:E / Y Y1:S resign:Y" in read(f"/games/{game.key}/")


def test_game_page_shows_facts_ending_and_downloads(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(SHORT, Date="2026.??.??", Event="Spring cup", Site="The nest"))
    html = client.get(f"/games/{game.key}/").content.decode()
    words = words_of(html)
    for fact in ("Date 2026", "Event Spring cup", "Site The nest", "Length 6 actions", "ATTA-LEAVE-1"):
        assert fact in words
    for part in ("log", "canonical", "record"):
        assert f'href="/api/v1/games/{game.key}/{part}"' in html
    assert f'data-copy="{game.digest}"' in html


def test_ratings_are_shown_as_they_were_for_this_game(upload_records: UploadRecords, read: Read, now: datetime) -> None:
    (first,) = upload_records(record(SHORT))
    upload_records(record("NS@0,2 resign:R 2-1"), at=now + timedelta(hours=1))
    words = read(f"/games/{first.key}/?ply=6")
    assert "Strength 1200 → 1326 ± 387 +126" in words
    assert "Strength 1200 → 1074 ± 387 −126" in words


def test_ratings_are_hidden_before_the_last_position(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(SHORT))
    hidden = '<p class="tray-rating" data-at-the-end hidden>'
    assert hidden in client.get(f"/games/{game.key}/?ply=1").content.decode()
    assert hidden not in client.get(f"/games/{game.key}/?ply=6").content.decode()


def test_the_winner_is_shown_before_the_reason_the_game_ended(upload_records: UploadRecords, read: Read) -> None:
    (game,) = upload_records(record(SHORT))
    words = read(f"/games/{game.key}/")
    assert "verified Ada won: Yellow resigned · ATTA-LEAVE-1" in words


def test_an_unfinished_game_says_so(upload_records: UploadRecords, read: Read) -> None:
    (game,) = upload_records(record("NS@0,2 R1:N *"))
    assert "Legal so far, but the record stops before the end of the game" in read(f"/games/{game.key}/")


# Rejected


def test_rejected_game_opens_at_the_faulty_ply_and_explains_the_fault(
    upload_records: UploadRecords, client: Client
) -> None:
    (game,) = upload_records(BROKEN)
    html = client.get(f"/games/{game.key}/").content.decode()
    words = words_of(html)
    assert 'data-ply="3" data-last="3"' in html
    assert "Ant R1 has already moved this turn." in words
    assert "line 9, column 18 ply 3" in words
    assert '<a class="rule-tag" href="/rules/atta-ants/#ATTA-MOVE-1">' in html
    assert "NS@0,2 R1:N R2:N <mark>R1:E</mark> / *" in html
    assert "Some legal actions here:" in words or "Legal actions here: /" in words


def test_faulty_action_is_shown_last_in_the_moves(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(BROKEN)
    html = client.get(f"/games/{game.key}/").content.decode()
    assert '<a class="move faulty" href="#fault" title="Illegal"><mark><bdi>R1:E</bdi></mark></a>' in html
    assert html.count('<div class="turn">') == 1


OF_ANOTHER_SEAT = {
    "atta_ants/broken/ATTA-MOVE-1-an-ant-of-another-colony.agn": ["R NESW@0,2 Y1:N"],
    "army_ants/broken/ARMY-TURN-1-black-moves-first.agn": ["R a8~b8"],
    "army_ants/broken/ARMY-TURN-1-red-is-skipped-after-its-gambit.agn": ["R QG", "B a8~b8", "B a1~b1"],
    "ant_trails/broken/TRAILS-PLACE-1-on-an-ant-of-the-other-colour.agn": ["B a1 a2 /", "R a1"],
    "agn/broken/AGN-ADMIN-1-another-seat-runs-out-of-time.agn": ["R NESW@0,2 timeout:Y"],
}
"""Records whose last token is played as by another seat than the one to act, with their turns."""


@pytest.mark.parametrize("name", OF_ANOTHER_SEAT)
def test_a_token_of_another_seat_stands_in_the_turn_in_which_it_was_played(
    upload_records: UploadRecords, client: Client, name: str
) -> None:
    (game,) = upload_records((FIXTURES / name).read_bytes())
    _, *turns = client.get(f"/games/{game.key}/").content.decode().split('<div class="turn">')
    assert [words_of(turn.split("</div>")[0]) for turn in turns] == OF_ANOTHER_SEAT[name]
    assert ["move faulty" in turn for turn in turns] == [False] * (len(turns) - 1) + [True]


def test_a_fault_in_the_tags_shows_the_line_and_no_board(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record().replace(b'[Seats "R Y"]', b'[Seats "R R"]'))
    html = client.get(f"/games/{game.key}/").content.decode()
    assert "data-replay" not in html
    assert "<mark>[Seats &quot;R R&quot;]</mark>" in html
    assert "A record without readable player names" in html


def test_missing_result_is_pointed_out_where_it_belongs(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record("NS@0,2 *").removesuffix(b" *\n"))
    html = client.get(f"/games/{game.key}/").content.decode()
    assert '<mark class="caret">^</mark>' in html
    assert "AGN-RESULT" in html


def test_invalid_bytes_are_shown_safely(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(Event="caf\u00e9").replace("é".encode(), b"\xff\x1b[31m"))
    html = client.get(f"/games/{game.key}/").content.decode()
    assert "caf<mark>\ufffd\ufffd[31m&quot;]</mark>" in html
    assert "\x1b" not in html


def test_a_long_line_is_cut_around_its_fault(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record("; " + "x" * 100 + "\n" + "{" + "c" * 400 + "} wrong {" + "d" * 400 + "} *"))
    html = client.get(f"/games/{game.key}/").content.decode()
    assert "<mark>wrong</mark>" in html
    assert "… ccc" in html
    assert "ddd …" in html


def test_fault_in_json_shows_only_the_token(upload_records: UploadRecords, client: Client) -> None:
    tags = '{"Game": "Atta Ants", "Rules": "online", "Seats": "R Y", "Red": "Ada", "Yellow": "Bruno", '
    tags += '"Setup": "E NESW* SW ESW* NESW* NE NESW NW", "Result": "*"}'
    (game,) = upload_records(f'{{"format": "agn/1", "tags": {tags}, "actions": ["NS@0,9"], "result": "*"}}'.encode())
    assert "Illegal action: <mark>NS@0,9</mark>" in client.get(f"/games/{game.key}/").content.decode()


# User input


def test_player_names_are_escaped(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(names=("<script>alert(1)</script>", "\u202eoof")))
    html = client.get(f"/games/{game.key}/").content.decode()
    assert "<script>alert" not in html
    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in html
    assert "<bdi>⟨U+202E⟩oof</bdi>" in html


# Duplicates


@pytest.mark.full
def test_upload_with_other_names_is_shown_as_another_seating(
    upload_records: UploadRecords, read: Read, alice: User, now: datetime
) -> None:
    (game,) = upload_records(record(names=("Ada", "Bruno")))
    (again,) = upload_records(record(names=("Eve", "Bruno")), at=now + timedelta(days=1), uploader=alice)
    assert again.same_as == game
    for key in (game.key, again.key):
        words = read(f"/games/{key}/")
        assert "Uploads of the same moves name different players." in words
        assert "Shown now R Ada Y Bruno" in words
        assert "Other upload R Eve Y Bruno by alice" in words


def test_upload_with_the_same_names_raises_no_challenge(upload_records: UploadRecords, read: Read) -> None:
    (game,) = upload_records(record())
    upload_records(record())
    words = read(f"/games/{game.key}/")
    assert words.count("without an account, on this site") == 2
    assert "Who played this game?" not in words


def test_uploads_of_a_game_are_listed_ten_at_a_time(upload_records: UploadRecords, read: Read) -> None:
    (game, *_) = upload_records(b"\n".join([record()] * 25))
    first = read(f"/games/{game.key}/")
    assert first.count("without an account") == 10
    assert "More uploads" in first
    after = game.logs.order_by("pk")[19].pk
    last = read(f"/games/{game.key}/?uploads={after}")
    assert last.count("without an account") == 5
    assert "More uploads" not in last


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["nowhere1", "x", "a-b_c", "0" * 200])
def test_unknown_game_key_is_not_found(read: Read, key: str) -> None:
    assert "Page not found" in read(f"/games/{key}/", status=404)


def test_game_page_needs_few_queries(
    upload_records: UploadRecords, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    (game,) = upload_records(record(SHORT))
    with django_assert_num_queries(19):
        client.get(f"/games/{game.key}/")
