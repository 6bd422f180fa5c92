"""Parameters that an address outside the API does not know: pages say so, what programs read refuses them."""

import re
from html import unescape
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import URLPattern

from games.models import Player
from games.web.urls import urlpatterns
from tests.factories import duels
from tests.games.web.conftest import UploadRecords

pytestmark = pytest.mark.django_db

FOR_PROGRAMS = re.compile(r"\.(?:atom|ics|csv|json|ebnf)$")
PATHS = [str(one.pattern) for one in urlpatterns if isinstance(one, URLPattern)]
ROUTES = list(filter(FOR_PROGRAMS.search, PATHS))
NOTICE = "There is no filter “{}”."


def address(route: str) -> str:
    return "/" + re.sub(r"<(\w+):\w+>", lambda kind: "1" if kind[1] == "int" else "atta-ants-online", route)


@pytest.mark.parametrize("route", ROUTES)
def test_what_programs_read_refuses_an_unknown_parameter(client: Client, route: str) -> None:
    answer = client.get(f"{address(route)}?zzqzz=1")
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["place"]) == (400, "invalid", {"parameter": "zzqzz"})
    assert error["message"].startswith("There is no parameter “zzqzz” here")


def test_there_are_feeds_calendars_and_tables() -> None:
    assert len(ROUTES) >= 10


def test_a_refusal_names_the_nearest_parameter_in_the_readers_language(client: Client) -> None:
    answer = client.get("/clubs/hall/table.csv?seson=3", headers={"accept-language": "de"})
    assert answer.json()["error"]["message"] == "Einen Parameter „seson“ gibt es hier nicht. Ist „season“ gemeint?"
    twice = client.get("/clubs/hall/table.csv?season=3&season=4")
    assert twice.json()["error"]["message"] == "“season” was sent more than once. Send it once."


PAGES = (
    "/games/", "/players/", "/leaderboards/", "/leaderboards/atta-ants-online/", "/studies/", "/openings/army-ants/",
    "/clubs/", "/rules/agn/", "/search/", "/play/", "/api/v1/docs/",
)  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_that_it_has_no_such_filter(client: Client, page: str) -> None:
    shown = client.get(f"{page}?zzqzz=1").content.decode()
    assert NOTICE.format("zzqzz") in unescape(shown)
    assert "It changes nothing here." in shown
    tracked = client.get(f"{page}?utm_source=x&mc_cid=1&fbclid=2&gclid=3&ref=ants.example&result")
    assert "There is no filter" not in tracked.content.decode()


def test_a_notice_links_to_the_filter_that_may_have_been_meant(client: Client, upload_records: UploadRecords) -> None:
    upload_records(*duels(1))
    shown = client.get("/games/?clubs=casa&player=Ada").content.decode()
    assert 'There is no filter “clubs”. Did you mean <a href="?player=Ada&amp;club=casa">club</a>?' in shown
    named = client.get("/players/?nam=Ada").content.decode()
    assert 'There is no filter “nam”. Did you mean <a href="?q=Ada">q</a>?' in named
    german = client.get("/players/?clu=casa", headers={"accept-language": "de"}).content.decode()
    assert 'Es gibt keinen Filter „clu“. Meintest du <a href="?club=casa">club</a>?' in german
    assert "<script>" not in client.get("/games/?<script>=1").content.decode()


def test_what_does_not_filter_is_no_part_of_the_links_to_exports(client: Client, upload_records: UploadRecords) -> None:
    upload_records(*duels(1))
    shown = client.get("/games/?clubs=x&utm_source=y&player=Ada").content.decode()
    (link,) = set(re.findall(r'href="(/api/v1/games/export\?[^"]*format=agn)"', shown))
    assert unescape(link) == "/api/v1/games/export?player=Ada&format=agn"
    assert client.get(unescape(link)).status_code == 200


def links_in(page: str, shown: str) -> set[str]:
    """Return the addresses with a query to which a page's links and forms lead."""
    links = {unescape(link) for link in re.findall(r'href="([^"#]*\?[^"#]*)', shown)}
    for form in re.findall(r"<form\b.*?</form>", shown, re.DOTALL):
        action = re.search(r'^<form[^>]* action="([^"]*)"', form)
        if 'method="post"' not in form:
            links |= {f"{action[1] if action else ''}?{name}=" for name in re.findall(r' name="(\w+)"', form)}
    return {urljoin(page, link) for link in links if not link.startswith(("http", "/api/v1/games", "/account"))}


def test_no_link_or_form_of_these_pages_has_an_unknown_filter(client: Client, upload_records: UploadRecords) -> None:
    upload_records(*duels(60))
    player = f"/players/{Player.objects.get(name='Ada').pk}/"
    links = set[str]()
    for page in (*PAGES, player, f"{player}ladders/atta-ants-online/", "/games/?player=Ada", "/search/?q=Ada"):
        links |= links_in(page, client.get(page).content.decode())
    assert len(links) > 50
    for link in links:
        assert "There is no filter" not in client.get(link, follow=True).content.decode(), link
