"""English and German: preferred by the browser and chosen by a visitor."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags
from django.utils.translation import override

from games.web.clubs.forms import EveningForm
from games.web.dates import tag_days
from tests.factories import record
from tests.games.web.conftest import UploadRecords, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def german() -> Client:
    """A client that prefers German."""
    return Client(headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"})


@pytest.mark.parametrize("asked", ["de", "de-AT, en;q=0.5", "fr, de;q=0.8, en;q=0.1"])
def test_a_browser_that_asks_for_german_gets_german(client: Client, asked: str) -> None:
    answer = client.get("/games/", headers={"accept-language": asked})
    assert answer["Content-Language"] == "de"
    assert '<html lang="de">' in answer.content.decode()
    assert "Alle hochgeladenen Aufzeichnungen" in words_of(answer.content.decode())


@pytest.mark.parametrize("asked", ["", "fr", "xx-yy", "*", "tlh;q=nonsense", "en, de;q=0.9"])
def test_unsupported_language_falls_back_to_english(client: Client, asked: str) -> None:
    answer = client.get("/games/", headers={"accept-language": asked})
    assert answer["Content-Language"] == "en"
    assert "All uploaded records" in words_of(answer.content.decode())


def test_chosen_language_overrides_the_browser_and_redirects_back(german: Client) -> None:
    answer = german.post("/language/", {"language": "en", "next": "/rules/?x=1"})
    assert (answer.status_code, answer["Location"]) == (303, "/rules/?x=1")
    assert '<html lang="en">' in german.get("/rules/").content.decode()


def test_other_language_is_offered_under_its_own_name(client: Client, german: Client) -> None:
    button = re.compile(
        '<button class="switch-language" name="language" value="(..)" lang="(..)">.*?([A-Za-z]+)</button>'
    )
    assert button.findall(client.get("/").content.decode()) == [("de", "de", "Deutsch")]
    assert button.findall(german.get("/").content.decode()) == [("en", "en", "English")]


def test_language_switch_returns_to_the_same_page(client: Client) -> None:
    html = client.get("/games/?verdict=rejected").content.decode()
    assert html.count('<input type="hidden" name="next" value="/games/?verdict=rejected">') == 2


@pytest.mark.parametrize("chosen", ["", "fr", "english", "../de", '"><script>'])
def test_unsupported_language_is_not_stored(client: Client, chosen: str) -> None:
    assert "language" not in client.post("/language/", {"language": chosen}).cookies
    client.cookies["language"] = chosen
    assert '<html lang="en">' in client.get("/rules/").content.decode()


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_language_switch_never_redirects_to_another_site(client: Client, back: str) -> None:
    assert client.post("/language/", {"language": "de", "next": back})["Location"] == "/"


def test_language_cannot_be_changed_by_a_link(client: Client) -> None:
    assert client.get("/language/?language=de").status_code == 405


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/api/v1/nothing"])
def test_responses_vary_by_language_header_and_cookie(client: Client, path: str) -> None:
    vary = {name.strip() for name in client.get(path)["Vary"].split(",")}
    assert {"Accept-Language", "Cookie"} <= vary


def test_a_rejection_names_rule_and_place_in_german(german: Client, upload_records: UploadRecords) -> None:
    (game,) = upload_records(record("NS@0,2 R1:N R2:NNN / *"))
    words = words_of(german.get(f"/games/{game.key}/").content.decode())
    sentence = "„R2:NNN“ hat mehr als zwei Schritte; eine Ameise geht höchstens zwei."
    assert f"{sentence} AGN-MOVE-1 Jedes Token ist wohlgeformt Zeile 9, Spalte 13" in words
    assert "abgelehnt" in words


def test_words_inside_a_rejection_are_translated(german: Client, upload_records: UploadRecords) -> None:
    (game,) = upload_records(record("NS@0,2 R1:NN R2:EE / *"))
    words = words_of(german.get(f"/games/{game.key}/").content.decode())
    assert "Die Ameise R2 kann nicht nach Osten gehen: Dort liegt keine Karte." in words


def test_replay_captions_are_shown_in_german(german: Client, upload_records: UploadRecords) -> None:
    (game,) = upload_records(record("NS@0,2 R1:N resign:R 2-1"))
    words = words_of(german.get(f"/games/{game.key}/?ply=2").content.decode())
    assert "R1 geht nach Norden." in words
    assert "Runde 1, Ameisen: R am Zug" in words
    assert "Rot hat aufgegeben." in words
    assert "Atta Ants, Online-Regeln" in words
    assert "online rules" not in words


def test_frames_use_the_language_of_the_page(german: Client, upload_records: UploadRecords) -> None:
    (game,) = upload_records(record("NS@0,2 R1:N resign:R 2-1"))
    frames = german.get(f"/api/v1/games/{game.key}/frames").json()["frames"]
    assert frames[2]["caption"] == "R1 geht nach Norden."


def test_dates_use_the_format_of_the_readers_language(
    client: Client, german: Client, upload_records: UploadRecords
) -> None:
    upload_records(record("NS@0,2 R1:N resign:R 2-1", Date="2026.03.01"))
    assert '<time datetime="2026-03-01">01.03.2026</time>' in german.get("/games/").content.decode()
    assert '<time datetime="2026-03-01">2026-03-01</time>' in client.get("/games/").content.decode()


def test_not_found_page_is_translated_into_german(german: Client) -> None:
    answer = german.get("/nowhere/")
    assert answer.status_code == 404
    assert "Seite nicht gefunden" in words_of(answer.content.decode())


def test_german_rules_have_the_same_addresses(german: Client) -> None:
    html = german.get("/rules/atta-ants/").content.decode()
    assert 'id="ATTA-NEST-4"' in html
    assert '<strong class="reading-mark">Lesart</strong> ' in html
    assert "Lesart:" not in html


def test_an_english_word_with_two_meanings_has_two_german_ones(german: Client, upload_records: UploadRecords) -> None:
    (game,) = upload_records(record("1. NS@0,2 *"))
    assert "Teilen Bild (PNG)" in words_of(german.get(f"/games/{game.key}/").content.decode())
    assert "Spiel Alle Spiele" in words_of(german.get("/studies/").content.decode())
    with override("de"):
        assert [str(EveningForm().fields[name].label) for name in ("begins", "place")] == ["Uhrzeit", "Ort"]


@pytest.mark.parametrize(
    ("tag", "shown"),
    [
        ("2026.03.14", "2026-03-14"),
        ("2026.??.??", "2026"),
        ("2026.05.??", "May 2026"),
        ("2026.??.31", "2026-01-31 – 2026-12-31"),
        ("????.??.??", "????.??.??"),
        ("2026.02.30", "2026.02.30"),
        ("", ""),
    ],
)
def test_a_date_tag_is_shown_as_the_days_that_it_names(tag: str, shown: str) -> None:
    assert strip_tags(tag_days(tag)) == shown
