"""Feeds and the map of the site."""

from datetime import datetime
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game, Player
from tests.factories import BROKEN, record
from tests.games.web.conftest import UploadRecords

SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def entries(client: Client, path: str) -> list[tuple[str, str]]:
    """Return title and address of each entry of a feed."""
    answer = client.get(path)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answer.content)
    assert feed.findtext("a:title", namespaces=ATOM)
    found = feed.findall("a:entry", ATOM)
    return [(one.findtext("a:title", "", ATOM), one.findtext("a:id", "", ATOM)) for one in found]


def addresses(client: Client, path: str) -> list[str]:
    """Return the addresses in a part of the map."""
    whole = ET.fromstring(client.get(path).content)
    return [one.text or "" for one in whole.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]


def test_feeds_list_the_games_of_everybody_of_a_player_and_of_a_leaderboard(
    upload_records: UploadRecords, client: Client
) -> None:
    one, two = upload_records(record(SHORT), record("NS@0,2 resign:R 2-1", Red="Cleo"))
    here = [
        ("Cleo, Bruno", f"{settings.SITE_URL}/games/{two.key}/"),
        ("Ada, Bruno", f"{settings.SITE_URL}/games/{one.key}/"),
    ]
    assert sorted(entries(client, "/games.atom")) == sorted(here)
    ada = Player.objects.get(name="Ada")
    assert entries(client, f"/players/{ada.pk}/games.atom") == here[1:]
    rated = entries(client, "/leaderboards/atta-ants-online/games.atom")
    assert set(rated) <= set(here)


def test_a_private_game_is_in_no_feed_and_not_on_the_map_even_for_its_owner(
    upload_records: UploadRecords, alice: User, client: Client
) -> None:
    (game,) = upload_records(record(SHORT), uploader=alice)
    Game.objects.filter(pk=game.pk).update(private=True, owner=alice)
    client.force_login(alice)
    assert entries(client, "/games.atom") == []
    assert entries(client, "/leaderboards/atta-ants-online/games.atom") == []
    assert addresses(client, f"/sitemap/games-{game.pk // 10_000}.xml") == []


def test_the_map_leads_to_public_games_players_and_rules(upload_records: UploadRecords, client: Client) -> None:
    game, broken = upload_records(record(SHORT), BROKEN)
    parts = addresses(client, "/sitemap.xml")
    assert f"{settings.SITE_URL}/sitemap/pages-0.xml" in parts
    here = [address for part in parts for address in addresses(client, part.removeprefix(settings.SITE_URL))]
    ada = Player.objects.get(name="Ada")
    for path in (f"/games/{game.key}/", f"/players/{ada.pk}/", "/rules/", "/leaderboards/army-ants/"):
        assert f"{settings.SITE_URL}{path}" in here
    assert f"{settings.SITE_URL}/games/{broken.key}/" not in here
    robots = client.get("/robots.txt").content.decode()
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in robots
    assert "Disallow: /openings/*?" in robots


@pytest.mark.parametrize("path", ["/sitemap/pages-1.xml", "/sitemap/accounts-0.xml", "/leaderboards/chess/games.atom"])
def test_what_is_not_on_the_map_is_not_found(db: None, client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_map_stays_short_where_a_player_has_a_number_by_chance(db: None, client: Client, now: datetime) -> None:
    Player.objects.create(pk=6468583562533068, name="Xenia", created_at=now)
    Player.objects.create(pk=20_001, name="Ada", created_at=now)
    parts = [part for part in addresses(client, "/sitemap.xml") if "players" in part]
    assert parts == [f"{settings.SITE_URL}/sitemap/players-2.xml"]


def test_a_name_with_characters_that_xml_cannot_hold_leaves_feeds_well_formed(
    upload_records: UploadRecords, client: Client
) -> None:
    upload_records(record(SHORT, Red="A\uffffda\ufffe"))
    player = Player.objects.get(name__startswith="A\uffff")
    for path in ("/games.atom", f"/players/{player.pk}/games.atom", "/leaderboards/atta-ants-online/games.atom"):
        text = client.get(path).content.decode()
        ET.fromstring(text)
        assert "Ada, Bruno" in text or "leaderboards" in path, path


def test_the_map_is_read_from_the_games_once_and_then_kept(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(SHORT))
    paths = ("/sitemap.xml", f"/sitemap/games-{game.pk // 10_000}.xml")
    before = [client.get(path).content for path in paths]
    with CaptureQueriesContext(connection) as queries:
        assert [client.get(path).content for path in paths] == before
    assert not [query for query in queries if "games_game" in query["sql"] or "games_player" in query["sql"]]


def test_parts_of_the_map_with_nothing_in_them_are_not_kept(db: None, client: Client) -> None:
    for number in (1, 2):
        assert addresses(client, f"/sitemap/games-{number}.xml") == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM cache WHERE cache_key LIKE '%sitemap%'")
        assert cursor.fetchone() == (0,)
