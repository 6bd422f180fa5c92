"""Finding people and games: the directory of players, the search, and what a profile shows at a glance."""

import re
from datetime import datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Club, Player, Study
from games.models.folding import has_words
from games.records.introductions import PRIVATE_FROM
from tests.factories import duels, record
from tests.games.web.conftest import Read, UploadRecords


def shown(client: Client, path: str) -> list[str]:
    rows = client.get(path).context["page"].rows
    return [row.name for row in rows]


@pytest.mark.django_db
def test_an_empty_directory_says_how_to_begin(read: Read) -> None:
    assert "Players will be listed here." in read("/players/")
    assert "No players match." in read("/players/?q=zz")


def test_the_directory_lists_players_by_name_with_ratings_form_and_games(
    upload_records: UploadRecords, read: Read
) -> None:
    upload_records(*duels(3))
    words = read("/players/")
    assert words.index("Ada") < words.index("Bruno")
    assert "1 1 1 3" in words  # won three of three
    assert re.search(r"Ada .*rank 2.* Bruno .*rank 1", words)


def test_players_are_found_by_the_beginning_of_their_names(upload_records: UploadRecords, client: Client) -> None:
    upload_records(record(names=("Dora", "dorian")), record(names=("Isidora", "Ada")))
    assert shown(client, "/players/?q=DOR") == ["Dora", "dorian"]
    assert shown(client, "/players/?q=%25") == []


NAMES = [
    ("Jos\u00e9 Mu\u00f1oz", ("jose", "JOS\u00c9", "mun", "munoz jose", "jose\u0301", "mu\u00f1")),
    ("Conan O\u2019Brien", ("o'brien", "O\u02bcBrien", "obri", "o\u2019b", "o`brien")),
    ("Nguy\u1ec5n V\u0103n \u0110\u1ea1t", ("nguyen", "van dat", "\u0111at", "D\u1ea1t")),
    ("\u0141ukasz S\u00f8rens\u00f8n-Gro\u00df", ("lukasz", "sorenson", "gross", "S\u00f8rens\u00f8n\u2011Gro\u00df")),
    (
        "\u0411\u043e\u0440\u0438\u0441 \u0401\u043b\u043a\u0438\u043d",
        ("\u0435\u043b\u043a\u0438\u043d", "\u0431\u043e\u0440"),
    ),
    ("\ud55c\uae00 \uc774", ("\ud55c", "\uc774", "\u1112\u1161\u11ab")),
    (
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        ("\u0639\u0644\u06cc\u0631\u0636\u0627", "\u0639\u0644\u06cc\u200c\u0631"),
    ),
    ("ada bot (1)", ("bot", "ada (1)", "(1)")),
]


@pytest.mark.parametrize(("name", "typed"), NAMES)
def test_a_name_is_found_by_any_word_without_accents_and_apostrophes(
    upload_records: UploadRecords, client: Client, name: str, typed: tuple[str, ...]
) -> None:
    (game,) = upload_records(record(names=(name, "Zzz")))
    player = Player.objects.get(name=name)
    for text in typed:
        assert shown(client, f"/players/?{urlencode({'q': text})}") == [name], text
        for part in ({}, {"part": 1}):
            page = client.get(f"/search/?{urlencode({'q': text} | part)}").content.decode()
            assert f'href="{player.get_absolute_url()}"' in page, text
    for text in typed[:1]:
        assert [one["name"] for one in client.get(f"/api/v1/players?{urlencode({'name': text})}").json()] == [name]
        found = client.get(f"/api/v1/games?{urlencode({'player': text})}").json()
        assert [one["key"] for one in found["games"]] == [game.key]
        assert game.get_absolute_url() in client.get(f"/games/?{urlencode({'player': text})}").content.decode()


def test_what_is_typed_finds_nothing_but_words_of_names(upload_records: UploadRecords, client: Client) -> None:
    upload_records(record(names=("Jos\u00e9 Mu\u00f1oz", "-")))
    for text in ("ose", "jose x", "'", "\\", ":*", "a & b", "|", "! jose'", "''"):
        assert shown(client, f"/players/?{urlencode({'q': text})}") in (
            [],
            ["Jos\u00e9 Mu\u00f1oz"] if "! jose" in text else [],
        ), text
    assert shown(client, "/players/?q=-") == ["-"]


def test_the_index_of_words_is_used(upload_records: UploadRecords) -> None:
    upload_records(record())
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    plan = Player.objects.filter(has_words("name", "ad")).explain()
    assert "player_by_words" in plan


def test_clubs_and_studies_are_found_without_accents_and_apostrophes(
    client: Client, alice: User, now: datetime
) -> None:
    club = Club.objects.create(slug="nest", name="Caf\u00e9 de l\u2019Enfant", created_at=now, listed_at=now)
    for text in ("cafe", "CAFE\u0301", "l'enfant", "enfant"):
        assert club.get_absolute_url() in client.get(f"/search/?{urlencode({'q': text})}").content.decode()
    author = User.objects.create_user("Zo\u00eb D\u2019Or")
    study = Study.objects.create(
        key="kept0001", owner=author, title="L\u2019\u00e9t\u00e9", visibility="public", made_at=now, changed_at=now
    )
    for asked in ({"title": "l'ete"}, {"author": "zoe d'or"}):
        assert study.get_absolute_url() in client.get(f"/studies/?{urlencode(asked)}").content.decode()


def test_the_directory_can_be_narrowed_to_a_ladder_and_to_who_played_lately(
    upload_records: UploadRecords, client: Client, now: datetime
) -> None:
    upload_records(record(names=("Ada", "Bruno")), at=now - timedelta(days=400))
    upload_records(record(names=("Cleo", "Dora"), rules="2003"))
    assert shown(client, "/players/?ruleset=atta-ants-2003") == ["Cleo", "Dora"]
    assert shown(client, "/players/?active=x") == ["Ada", "Bruno", "Cleo", "Dora"]
    assert shown(client, "/players/?club=none") == []


@pytest.mark.django_db
def test_the_directory_asks_the_database_as_often_for_many_as_for_one(
    client: Client, now: datetime, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Player.objects.bulk_create(Player(name=f"Ada {number:02}", created_at=now) for number in range(60))
    with django_assert_max_num_queries(5):
        page = client.get("/players/").context["page"]
    assert len(page.rows) == 50
    assert len(client.get(f"/players/?{page.next}").context["page"].rows) == 10


def test_who_sat_only_at_private_games_is_in_no_list(upload_records: UploadRecords, client: Client) -> None:
    games = upload_records(record(names=("Ada", "Bruno")))
    type(games[0]).objects.update(private=True)
    assert shown(client, "/players/") == []
    assert "Nothing found" in client.get("/search/?q=ada").content.decode()


def test_the_directory_does_not_tell_where_a_private_players_name_stands(
    upload_records: UploadRecords, client: Client
) -> None:
    private, _ = upload_records(record(names=("Cleo", "Dora")), record("NS@0,2 resign:R 2-1"))
    type(private).objects.filter(pk=private.pk).update(private=True)
    cleo = Player.objects.get(name="Cleo")
    assert shown(client, f"/players/?after={cleo.pk}") == ["Ada", "Bruno"]


@pytest.mark.django_db
def test_the_directory_goes_on_after_a_player_with_a_long_number(client: Client, now: datetime) -> None:
    for number, name in enumerate(("Ada", "Bruno"), start=PRIVATE_FROM):
        Player.objects.create(pk=number, name=name, created_at=now)
    assert shown(client, f"/players/?after={PRIVATE_FROM}") == ["Bruno"]


def test_the_search_finds_players_their_games_and_rules(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record(names=("Dora", "Bruno")))
    words = read("/search/?q=dor")
    assert "Players Dora" in words
    assert "Games R Dora 2nd Y Bruno 1st" in words
    assert "TRAILS-PLACE-2 Trails grow at their ends" in read("/search/?q=trails-pl")
    assert "TRAILS-PLACE-2 Trails grow at their ends" in read("/search/?q=Grow+at")


def test_the_search_finds_a_game_by_its_key(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record())
    assert f'href="/games/{game.key}/"' in client.get(f"/search/?q={game.key.upper()}").content.decode()


@pytest.mark.django_db
def test_a_search_that_finds_nothing_says_how_players_are_found(read: Read) -> None:
    assert "Nothing found for “zz”. Players are found by the beginning of any word in their names." in read(
        "/search/?q=zz"
    )
    assert "Nothing found" not in read("/search/")


def test_while_somebody_types_a_few_results_come_without_a_page(upload_records: UploadRecords, client: Client) -> None:
    upload_records(*(record(names=(f"A{number}", f"B{number}")) for number in range(8)))
    html = client.get("/search/?q=a&part=1").content.decode()
    assert "<html" not in html
    assert html.count('href="/players/') == 5
    assert "All results for “a”" in html


def test_a_profile_shows_all_rulesets_at_a_glance_form_and_opponents(upload_records: UploadRecords, read: Read) -> None:
    upload_records(*duels(3), record(rules="2003"))
    words = read(Player.objects.get(name="Bruno").get_absolute_url())
    assert "Atta Ants, online rules rank 1" in words
    assert "Form Places in the last ten verified games, newest on the right 1 1 1 1" in words
    assert "Most frequent opponents Atta Ants, online rules" in words
    assert "Ada 3 Games against Ada 0 3" in words
