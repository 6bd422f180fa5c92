"""What search engines read: structured data, titles, descriptions, and the map of the site."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from atta_site.processes import ROOT
from games.models import Club, Study
from tests.games.test_access import ROWS, World, address

pytestmark = pytest.mark.django_db

PROPERTIES = {
    "Game": {
        "name",
        "description",
        "url",
        "image",
        "genre",
        "numberOfPlayers",
        "datePublished",
        "dateCreated",
        "publisher",
    },
    "QuantitativeValue": {"value"},
    "Organization": {"name", "logo"},
}
"""The properties that schema.org gives to the types that pages name, as far as they are used."""
REQUIRED = {"Game": {"name", "url", "description", "image"}, "QuantitativeValue": {"value"}, "Organization": {"name"}}
ADDRESSES = {"url", "image", "logo"}
DATES = {"datePublished", "dateCreated"}
TITLE, DESCRIPTION = range(8, 90), range(25, 170)
"""Characters of which search engines show all, or nearly all."""
VISITED = sorted(
    row.name for row in ROWS
    if row.method == "GET" and row.public[0] == 200 and not row.name.startswith(("api-game", "api-u", "live"))
)  # fmt: skip


@pytest.fixture
def world(worlds: tuple[World, World]) -> World:
    """The public world."""
    Club.objects.update(about="We play on Mondays, with tea and cake, at the library.")
    return worlds[0]


def structured(html: str) -> list[dict[str, Any]]:
    """Return the structured data of a page."""
    return [
        json.loads(found)
        for found in re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    ]


def parts(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an object and all objects in it."""
    yield data
    for value in data.values():
        if isinstance(value, dict):
            yield from parts(value)


def kept_out(client: Client) -> tuple[str, ...]:
    """Return how the paths begin that `robots.txt` keeps search engines from."""
    return tuple(re.findall(r"^Disallow: ([^*\n]+)$", client.get("/robots.txt").content.decode(), re.MULTILINE))


def shown_to_engines(client: Client, world: World, language: str) -> Iterator[tuple[str, str]]:
    """Yield the pages that search engines may show, each with its address."""
    for path in (address(name, world) for name in VISITED):
        if path.startswith(kept_out(client)):
            continue
        answer = client.get(path, headers={"Accept-Language": language})
        html = answer.content.decode(errors="replace") if "html" in answer.headers.get("Content-Type", "") else ""
        if (
            answer.status_code == 200
            and "<main" in html
            and "noindex" not in html + answer.headers.get("X-Robots-Tag", "")
        ):
            yield path, html


def is_for_engines(answer: Any) -> bool:
    """Return whether search engines may show a page."""
    return "noindex" not in answer.content.decode(errors="replace") + answer.headers.get("X-Robots-Tag", "")


def test_structured_data_has_what_schema_org_knows_and_no_more(client: Client, world: World) -> None:
    (data,) = structured(client.get(world.game.get_absolute_url()).content.decode())
    assert data["@context"] == "https://schema.org"
    for part in parts(data):
        kind, names = part["@type"], part.keys() - {"@type", "@context"}
        assert names <= PROPERTIES[kind]
        assert REQUIRED[kind] <= names
        for name in names & ADDRESSES:
            assert part[name].startswith(settings.SITE_URL + "/"), name
            path = urlsplit(part[name]).path
            assert path.startswith("/static/games/") or client.get(path).status_code == 200
        for name in names & DATES:
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", part[name])
    assert data["numberOfPlayers"]["value"] == 2


@pytest.mark.full
def test_structured_data_holds_nothing_that_the_page_does_not_show(
    client: Client, worlds: tuple[World, World], cast: dict[str, User]
) -> None:
    public, private = worlds
    accounts = User.objects.values_list("username", flat=True)
    (data,) = structured(client.get(public.game.get_absolute_url()).content.decode())
    text = json.dumps(data)
    assert not [name for name in accounts if re.search(rf"\b{name}\b", text)]
    client.force_login(cast["uploader"])
    assert structured(client.get(private.game.get_absolute_url()).content.decode()) == []


def test_names_in_structured_data_cannot_end_the_script(client: Client, world: World) -> None:
    player = world.game.seatings.all()[0].player
    player.name = "</script><b>&\u2028"
    player.save()
    html = client.get(world.game.get_absolute_url()).content.decode()
    assert any("</script><b>&" in data["name"] for data in structured(html))


@pytest.mark.parametrize("language", ["en", "de"])
def test_public_pages_have_a_title_and_a_description_of_their_own(client: Client, world: World, language: str) -> None:
    titles, descriptions = dict[str, str](), dict[str, str]()
    for path, html in shown_to_engines(client, world, language):
        titles[path] = unescape(re.search(r"<title>(.*?)</title>", html, re.DOTALL)[1]).strip()  # type: ignore[index]
        descriptions[path] = unescape(re.search(r'<meta name="description" content="(.*?)"', html, re.DOTALL)[1])  # type: ignore[index]
    assert len(titles) > 20
    assert {path: title for path, title in titles.items() if len(title) not in TITLE} == {}
    assert {path: (len(one), one) for path, one in descriptions.items() if len(one) not in DESCRIPTION} == {}
    for found in (titles, descriptions):
        often = {one for one, count in Counter(found.values()).items() if count > 1}
        assert {path: one for path, one in found.items() if one in often} == {}


@pytest.mark.full
def test_map_of_the_site_lists_public_pages_alone(client: Client, worlds: tuple[World, World]) -> None:
    cache.clear()
    public, private = worlds
    Study.objects.create(key="zzzzzzzz", title="Mine", owner=public.study.owner, visibility="unlisted",
                         made_at=public.study.made_at, changed_at=public.study.made_at)  # fmt: skip
    listed = [path for part in locations(client, "/sitemap.xml") for path in locations(client, part)]
    assert len(listed) == len(set(listed))
    for path in listed:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert is_for_engines(answer), path
        assert not path.startswith(kept_out(client)), path
    assert {public.game.get_absolute_url(), public.study.get_absolute_url(), "/clubs/nest/"} <= set(listed)
    assert not [path for path in listed if private.game.key in path or private.study.key in path or "zzzzzzzz" in path]


def locations(client: Client, path: str) -> list[str]:
    found = ET.fromstring(client.get(path).content).iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    addresses = [one.text or "" for one in found]
    assert all(one.startswith(settings.SITE_URL + "/") for one in addresses)
    return [one.removeprefix(settings.SITE_URL) for one in addresses]


def test_robots_follow_no_link_to_a_download() -> None:
    pages = {path.name: path.read_text() for path in (ROOT / "games" / "templates").rglob("*.html")}
    links = [(name, link) for name, page in pages.items() for link in re.findall(r"<a [^\n]*? download[^\n]*?>", page)]
    assert len(links) > 10
    assert [(name, link) for name, link in links if 'rel="nofollow" download' not in link] == []
