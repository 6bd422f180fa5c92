"""English and German: what a browser asks for, and what a visitor chooses."""

import pytest
from django.test import Client

from tests.factories import record
from tests.games.web.conftest import HandIn, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def german() -> Client:
    """Somebody whose browser asks for German."""
    return Client(headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"})


@pytest.mark.parametrize("asked", ["de", "de-AT, en;q=0.5", "fr, de;q=0.8, en;q=0.1"])
def test_a_browser_that_asks_for_german_gets_german(client: Client, asked: str) -> None:
    answer = client.get("/games/", headers={"accept-language": asked})
    assert answer["Content-Language"] == "de"
    assert '<html lang="de">' in answer.content.decode()
    assert "Alle hochgeladenen Aufzeichnungen, die neuesten zuerst" in words_of(answer.content.decode())


@pytest.mark.parametrize("asked", ["", "fr", "xx-yy", "*", "tlh;q=nonsense", "en, de;q=0.9"])
def test_what_is_not_spoken_here_is_answered_in_english(client: Client, asked: str) -> None:
    answer = client.get("/games/", headers={"accept-language": asked})
    assert answer["Content-Language"] == "en"
    assert "All uploaded records, newest first" in words_of(answer.content.decode())


def test_a_choice_wins_over_the_browser_and_leads_back(german: Client) -> None:
    answer = german.post("/language/", {"language": "en", "next": "/rules/?x=1"})
    assert (answer.status_code, answer["Location"]) == (303, "/rules/?x=1")
    assert '<html lang="en">' in german.get("/rules/").content.decode()


def test_the_other_language_is_offered_by_its_own_name(client: Client, german: Client) -> None:
    button = '<button class="switch-language" name="language" value="{0}" lang="{0}">{1}</button>'
    assert button.format("de", "Deutsch") in client.get("/").content.decode()
    assert button.format("en", "English") in german.get("/").content.decode()


def test_the_switch_leads_back_to_the_very_page(client: Client) -> None:
    html = client.get("/games/?verdict=rejected").content.decode()
    assert html.count('<input type="hidden" name="next" value="/games/?verdict=rejected">') == 2


@pytest.mark.parametrize("chosen", ["", "fr", "english", "../de", '"><script>'])
def test_a_language_that_is_not_spoken_here_is_not_remembered(client: Client, chosen: str) -> None:
    assert "language" not in client.post("/language/", {"language": chosen}).cookies
    client.cookies["language"] = chosen
    assert '<html lang="en">' in client.get("/rules/").content.decode()


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_it_never_leads_to_another_site(client: Client, back: str) -> None:
    assert client.post("/language/", {"language": "de", "next": back})["Location"] == "/"


def test_it_cannot_be_chosen_by_a_link(client: Client) -> None:
    assert client.get("/language/?language=de").status_code == 405


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/api/v1/nothing"])
def test_caches_are_told_that_the_language_is_asked_for_and_chosen(client: Client, path: str) -> None:
    vary = {name.strip() for name in client.get(path)["Vary"].split(",")}
    assert {"Accept-Language", "Cookie"} <= vary


def test_a_rejection_names_rule_and_place_in_german(german: Client, hand_in: HandIn) -> None:
    (game,) = hand_in(record("NS@0,2 R1:N R2:NNN / *"))
    words = words_of(german.get(f"/games/{game.key}/").content.decode())
    sentence = "„R2:NNN“ hat mehr als zwei Schritte; eine Ameise geht höchstens zwei."
    assert f"{sentence} AGN-MOVE-1 Jedes Token ist wohlgeformt Zeile 9, Spalte 13" in words
    assert "abgelehnt" in words


def test_a_word_within_a_rejection_is_german_too(german: Client, hand_in: HandIn) -> None:
    (game,) = hand_in(record("NS@0,2 R1:NN R2:EE / *"))
    words = words_of(german.get(f"/games/{game.key}/").content.decode())
    assert "Die Ameise R2 kann nicht nach Osten gehen: Dort liegt keine Karte." in words


def test_a_replay_is_told_in_german(german: Client, hand_in: HandIn) -> None:
    (game,) = hand_in(record("NS@0,2 R1:N resign:R 2-1"))
    words = words_of(german.get(f"/games/{game.key}/?ply=2").content.decode())
    assert "R1 geht nach Norden." in words
    assert "Runde 1, Ameisen: R am Zug" in words
    assert "Ein Spieler hat aufgegeben, und höchstens eine Kolonie ist übrig." in words
    assert "Atta Ants, Online-Regeln" in words
    assert "online rules" not in words


def test_the_frames_are_told_in_the_language_of_the_page(german: Client, hand_in: HandIn) -> None:
    (game,) = hand_in(record("NS@0,2 R1:N resign:R 2-1"))
    frames = german.get(f"/api/v1/games/{game.key}/frames").json()["frames"]
    assert frames[2]["caption"] == "R1 geht nach Norden."


def test_days_are_written_as_readers_write_them(client: Client, german: Client, hand_in: HandIn) -> None:
    hand_in(record("NS@0,2 R1:N resign:R 2-1", Date="2026.03.01"))
    assert '<time datetime="2026-03-01">01.03.2026</time>' in german.get("/games/").content.decode()
    assert '<time datetime="2026-03-01">2026-03-01</time>' in client.get("/games/").content.decode()


def test_what_is_not_there_is_not_there_in_german(german: Client) -> None:
    answer = german.get("/nowhere/")
    assert answer.status_code == 404
    assert "Seite nicht gefunden" in words_of(answer.content.decode())


def test_rules_are_told_in_german_under_the_same_addresses(german: Client) -> None:
    html = german.get("/rules/atta-ants/").content.decode()
    assert 'id="ATTA-NEST-4"' in html
    assert '<strong class="reading-mark">Lesart</strong> ' in html
    assert "Lesart:" not in html
