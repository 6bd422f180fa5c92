"""What leaves the site: cards of links, pictures, frames on other pages, copies."""

import json
import re
from datetime import datetime
from io import BytesIO
from typing import cast
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from PIL import Image
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

from games.accounts.deletion import delete_account
from games.models import Game, Player
from games.platform.kept import Kept
from games.platform.slots import Slot
from games.records.reads import pictures, replays
from games.web.rate_limits import ThumbnailThrottle
from tests.factories import BROKEN, record
from tests.games.web.conftest import UploadRecords

SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"
ENDING = "Atta Ants, online rules: Ada won. Yellow resigned."
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def game(upload_records: UploadRecords) -> Game:
    """A verified game of six actions."""
    (game,) = upload_records(record(SHORT))
    return game


def size_of(png: bytes) -> tuple[int, int]:
    """Return width and height of a PNG, as its head states them."""
    assert png.startswith(PNG)
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def meta(html: str) -> dict[str, str]:
    """Return the meta tags of a page, by name: what others show with a link to it."""
    return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', html))


def test_a_link_to_a_game_is_shown_with_its_board_and_names(game: Game, client: Client) -> None:
    tags = meta(client.get(f"/games/{game.key}/").content.decode())
    assert tags["og:title"] == "Ada, Bruno"
    assert tags["og:description"] == tags["description"] == ENDING
    assert tags["og:image"] == f"{settings.SITE_URL}/games/{game.key}/card.png"
    assert (tags["og:locale"], tags["og:locale:alternate"]) == ("en_GB", "de_DE")
    assert size_of(client.get(f"/games/{game.key}/card.png").content) == (1200, 630)


def test_the_description_of_a_link_is_german_for_german_readers(game: Game, client: Client) -> None:
    tags = meta(client.get(f"/games/{game.key}/", headers={"Accept-Language": "de"}).content.decode())
    assert tags["og:description"].startswith("Atta Ants, Online-Regeln: Ada hat gewonnen.")
    assert tags["og:locale"] == "de_DE"


def test_search_engines_read_what_a_game_is_and_nothing_ends_the_element(
    upload_records: UploadRecords, client: Client
) -> None:
    (game,) = upload_records(record(SHORT, Red="</script><b>&amp;"))
    html = client.get(f"/games/{game.key}/").content.decode()
    (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    said = json.loads(data)
    assert (said["@type"], said["name"]) == ("Game", "</script><b>&amp;, Bruno")
    assert said["numberOfPlayers"]["value"] == 2


def test_a_game_without_a_replay_has_no_card(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(BROKEN)
    assert "og:image" not in meta(client.get(f"/games/{game.key}/").content.decode()) or game.plies
    assert client.get("/games/0000000x/card.png").status_code == 404


@pytest.mark.full
def test_a_picture_of_any_position_has_the_size_that_is_asked_for(game: Game, client: Client) -> None:
    for size, ply in ((64, 0), (2048, 999)):
        answer = client.get(f"/api/v1/games/{game.key}/picture", {"format": "png", "size": str(size), "ply": str(ply)})
        assert answer["Content-Type"] == "image/png"
        assert max(size_of(answer.content)) == size
        assert answer["Content-Disposition"] == f'inline; filename="{game.key}-{min(ply, 6)}.png"'


def test_pictures_of_a_game_differ_by_position_and_theme_and_not_by_shape(game: Game, client: Client) -> None:
    def picture(**asked: str) -> str:
        return client.get(f"/api/v1/games/{game.key}/picture", asked).content.decode()

    first, last, dark = picture(ply="0"), picture(), picture(theme="dark")
    assert len({first, last, dark}) == 3
    assert len({re.findall('viewBox="([^"]+)"', one)[0] for one in (first, last, dark)}) == 1
    assert "#10160F" in dark
    assert 'class="labels"' not in picture(labels="no")


def test_a_picture_that_cannot_be_drawn_is_refused_with_a_reason(game: Game, client: Client) -> None:
    for asked in ({"size": "63"}, {"size": "2049"}, {"format": "gif"}, {"theme": "blue"}, {"ply": "-1"}):
        answer = client.get(f"/api/v1/games/{game.key}/picture", asked)
        assert answer.status_code == 400
        assert next(iter(asked)) in str(answer.json()["error"]), answer.json()


def test_only_the_embedded_view_may_be_framed(game: Game, client: Client) -> None:
    embedded = client.get(f"/games/{game.key}/embed/")
    assert "frame-ancestors *" in embedded["Content-Security-Policy"].split("; ")
    assert "X-Frame-Options" not in embedded
    for path in (f"/games/{game.key}/", "/", "/upload/", f"/games/{game.key}/card.png", "/api/v1/games"):
        answer = client.get(path)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"].split("; "), path
        assert answer["X-Frame-Options"] == "DENY", path


def test_the_embedded_view_steps_by_links_and_keeps_its_theme(game: Game, client: Client) -> None:
    html = client.get(f"/games/{game.key}/embed/?ply=2&theme=dark").content.decode()
    assert 'data-theme="dark"' in html
    assert "R1 walks north." in html
    assert 'href="?ply=1&amp;theme=dark"' in html
    assert 'href="?ply=3&amp;theme=dark"' in html
    assert f'href="{settings.SITE_URL}/games/{game.key}/?ply=2"' in html


@pytest.mark.parametrize(("asked", "ply"), [("", 0), ("?ply=x", 0), ("?ply=2", 2), ("?ply=999", 6)])
def test_the_embedded_view_opens_where_its_address_says_or_at_the_beginning(
    game: Game, client: Client, asked: str, ply: int
) -> None:
    html = client.get(f"/games/{game.key}/embed/{asked}").content.decode()
    assert f'<span class="embed-at">{ply} / 6</span>' in html


@pytest.mark.parametrize(("asked", "places"), [("", 0), ("?ply=5", 0), ("?ply=6", 2)])
def test_the_embedded_view_shows_the_places_with_the_last_position_only(
    game: Game, client: Client, asked: str, places: int
) -> None:
    html = client.get(f"/games/{game.key}/embed/{asked}").content.decode()
    assert html.count("sitting-place") == places
    assert html.count('class="sitting first"') == bool(places)


def test_a_private_game_is_embedded_for_nobody_not_even_its_uploader(
    upload_records: UploadRecords, alice: User, client: Client
) -> None:
    (game,) = upload_records(record(SHORT), uploader=alice)
    Game.objects.filter(pk=game.pk).update(private=True, owner=alice)
    client.force_login(alice)
    assert client.get(f"/games/{game.key}/embed/").status_code == 404
    page = client.get(f"/games/{game.key}/")
    assert page.status_code == 200
    assert "og:image" not in page.content.decode()


def test_oembed_describes_how_to_embed_a_game_at_a_ply(game: Game, client: Client) -> None:
    page = client.get(f"/games/{game.key}/").content.decode()
    url = f"{settings.SITE_URL}/games/{game.key}/"
    assert f"/api/v1/oembed?{urlencode({'url': url})}" in page
    answer = client.get("/api/v1/oembed", {"url": f"{url}?ply=3", "maxwidth": "400"}).json()
    assert (answer["type"], answer["version"], answer["title"], answer["width"]) == ("rich", "1.0", "Ada, Bruno", 400)
    assert f'src="{url}embed/?ply=3" width="400" height="560"' in answer["html"]


@pytest.mark.parametrize("end", ["", "/", "/embed", "/embed/"])
def test_oembed_takes_an_address_with_or_without_its_last_slash(game: Game, client: Client, end: str) -> None:
    answer = client.get("/api/v1/oembed", {"url": f"{settings.SITE_URL}/games/{game.key}{end}"})
    assert (answer.status_code, f"/games/{game.key}/embed/" in answer.json()["html"]) == (200, True)


@pytest.mark.parametrize(
    ("asked", "kept"),
    [("theme=dark", "theme=dark"), ("ply=2&theme=light", "ply=2&amp;theme=light"), ("theme=blue", "")],
)
def test_oembed_keeps_the_theme_of_the_address(game: Game, client: Client, asked: str, kept: str) -> None:
    answer = client.get("/api/v1/oembed", {"url": f"{settings.SITE_URL}/games/{game.key}/?{asked}"}).json()
    assert f'/games/{game.key}/embed/{f"?{kept}" if kept else ""}"' in answer["html"]


def test_oembed_answers_in_xml_too(game: Game, client: Client) -> None:
    asked = {"url": f"{settings.SITE_URL}/games/{game.key}/", "format": "xml"}
    answer = client.get("/api/v1/oembed", asked)
    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    assert b"<type>rich</type>" in answer.content


def test_oembed_knows_only_games_of_this_site(game: Game, client: Client) -> None:
    here = settings.SITE_URL
    for url in (f"{here}/", f"{here}/games/0000000x/", f"https://elsewhere.example/games/{game.key}/", "x"):
        assert client.get("/api/v1/oembed", {"url": url}).status_code == 404, url


@pytest.mark.parametrize("url", ["http://[", "http://[x]/games/", "http://a\u2100b/games/0000000x/"])
def test_oembed_does_not_find_a_url_that_cannot_be_parsed(db: None, client: Client, url: str) -> None:
    answer = client.get("/api/v1/oembed", {"url": url})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_a_name_with_characters_that_xml_cannot_hold_is_drawn_and_embedded(
    upload_records: UploadRecords, client: Client
) -> None:
    (game,) = upload_records(record(SHORT, Red="A\uffffda\ufffe"))
    assert size_of(client.get(f"/games/{game.key}/card.png").content) == (1200, 630)
    url = f"{settings.SITE_URL}/games/{game.key}/"
    answer = client.get("/api/v1/oembed", {"url": url, "format": "xml"})
    assert ET.fromstring(answer.content).findtext("title") == "Ada, Bruno"


@pytest.mark.usefixtures("uncounted")
def test_cards_and_pictures_are_counted_together(game: Game, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"picture": "2/hour", "anon": None, "user": None})
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"picture": "2/hour"})
    card, picture = f"/games/{game.key}/card.png", f"/api/v1/games/{game.key}/picture?format=png"
    assert [client.get(path).status_code for path in (card, picture, card, picture)] == [200, 200, 429, 429]
    assert int(client.get(card)["Retry-After"]) > 0


def test_while_another_picture_is_made_a_new_one_is_refused_and_a_kept_one_is_not(
    game: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "PATIENCE", 0)
    card = f"/games/{game.key}/card.png"
    kept = client.get(card).content
    with cast("Slot", pictures._slots.take()):
        assert client.get(card).content == kept
        for path in (f"{card}?theme=dark", f"/api/v1/games/{game.key}/picture?format=png&size=99"):
            answer = client.get(path)
            assert (answer.status_code, answer["Retry-After"]) == (503, "5")
            assert "Another picture is being made. Try again in a few seconds." in answer.content.decode()


def test_lists_show_a_small_picture_of_the_last_position(game: Game, client: Client) -> None:
    path = f"/games/{game.key}/thumbnail.webp"
    assert f'data-src="{path}" width="44" height="44"' in client.get("/games/").content.decode()
    answer = client.get(path)
    picture = Image.open(BytesIO(answer.content))
    assert max(picture.size) == 96
    assert picture.getchannel("A").tobytes()[0] == 0, "the page is its ground, light or dark"
    assert (answer["Content-Type"], len(answer.content) < 3_000) == ("image/webp", True)
    assert client.get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_a_kept_thumbnail_is_shown_without_replaying_the_game(game: Game, client: Client) -> None:
    path = f"/games/{game.key}/thumbnail.webp"
    shown = client.get(path).content
    game.logs.update(data=b"no record")

    assert client.get(path).content == shown


@pytest.mark.usefixtures("uncounted")
def test_only_so_many_thumbnails_are_drawn_for_an_address(
    game: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ThumbnailThrottle, "THROTTLE_RATES", {"thumbnail": "1/hour"})
    path = f"/games/{game.key}/thumbnail.webp"
    assert [client.get(path).status_code for _ in range(2)] == [200, 200]
    monkeypatch.setattr(pictures, "_kept", Kept[bytes, bytes](0, len))
    refused = client.get(path)
    assert (refused.status_code, int(refused["Retry-After"]) > 60) == (429, True)


def test_a_thumbnail_pushes_out_no_replay_that_is_kept(game: Game, client: Client) -> None:
    kept = [*replays._replays._kept]
    assert client.get(f"/games/{game.key}/thumbnail.webp").status_code == 200
    assert [*replays._replays._kept] == kept


def test_a_thumbnail_of_a_private_game_is_for_those_who_see_the_game(game: Game, client: Client) -> None:
    Game.objects.update(private=True)
    assert client.get(f"/games/{game.key}/thumbnail.webp").status_code == 404


@pytest.mark.full
def test_a_kept_card_is_not_shown_when_what_it_says_has_changed(game: Game, client: Client) -> None:
    card = f"/games/{game.key}/card.png"
    cards = [client.get(card).content, client.get(card, headers={"Accept-Language": "de"}).content]
    Player.objects.filter(name="Ada").update(name="Zoe")
    cards.append(client.get(card).content)
    Game.objects.filter(pk=game.pk).update(verdict="unfinished")
    cards.append(client.get(card).content)
    assert len(set(cards)) == 4


def shared(game: Game, player: Player) -> tuple[str, ...]:
    """Return every address at which a game leaves the site with its names, or shows that it exists."""
    page = f"/games/{game.key}/"
    oembed = f"/api/v1/oembed?{urlencode({'url': settings.SITE_URL + page})}"
    pictures = (f"{page}card.png", f"/api/v1/games/{game.key}/picture")
    feeds = ("/games.atom", f"/players/{player.pk}/games.atom", "/leaderboards/atta-ants-online/games.atom")
    return (page, f"{page}embed/", oembed, f"{oembed}&format=xml", *pictures, *feeds)


def test_a_game_that_was_made_private_is_shared_nowhere_any_more(
    upload_records: UploadRecords, alice: User, client: Client
) -> None:
    (game,) = upload_records(record(SHORT), uploader=alice)
    ada = Player.objects.get(name="Ada")
    assert {client.get(path).status_code for path in shared(game, ada)} == {200}
    Game.objects.filter(pk=game.pk).update(private=True, owner=alice)
    for path in shared(game, ada):
        answer = client.get(path)
        assert answer.status_code == 404 or (b"Ada" not in answer.content and game.key.encode() not in answer.content)


def test_a_closed_account_is_named_nowhere_where_its_games_are_shared(
    game: Game, client: Client, now: datetime
) -> None:
    ada = Player.objects.get(name="Ada")
    Player.objects.filter(pk=ada.pk).update(account=User.objects.create_user("ada"))
    before = {path: client.get(path).content for path in shared(game, ada)}
    assert b"Ada" in before["/games.atom"]
    delete_account(User.objects.get(username="ada"), now=now)
    for path in shared(game, ada):
        answer = client.get(path)
        assert answer.status_code == 200
        assert b"Ada," not in answer.content, path
        assert "card.png" not in path or answer.content != before[path]
