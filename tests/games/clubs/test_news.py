"""A club's webhook: a real receiver hears of games, evenings and final tables."""

import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.clubs import organising, running
from games.clubs.announcing import announce_games, remove_webhook, set_webhook
from games.clubs.errors import ClubError
from games.models import Club, ClubMember, ClubWebhook, Delivery, DeliveryAttempt, Game
from games.platform.outgoing import AddressError
from games.tasks import message_of
from games.webhooks.deliveries import deliver_due, make_secret
from tests.games.evenings import annul, play
from tests.games.receiver import Receiver
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def club(alice: User, now: datetime) -> Club:
    return running.found(slug="formica", name="Casa Formica", meets="", main_ruleset="", by=alice, now=now)


@pytest.fixture
def heard(club: Club, alice: User, receiver: Receiver, now: datetime) -> Callable[[], list[Any]]:
    """What the club's receiver has heard since the greeting, after everything due was sent."""
    set_webhook(club, url=receiver.url, form=ClubWebhook.Form.JSON, language="en", by=alice, now=now)
    deliver_due(message_of)

    def since() -> list[Any]:
        announce_games(now=now)
        deliver_due(message_of)
        return [json.loads(body) for _, _, body in receiver.heard[1:]]

    return since


def test_news_tell_of_a_game_with_its_result_and_of_many_games_in_one_message(
    club: Club, heard: Callable[[], list[Any]], now: datetime, settings: Any
) -> None:
    (game,) = play([(["Ada", "Bea", "@all [x](http://x)"], [1, 2, 2])], now, club=club)
    (event,) = heard()
    page = f"{settings.SITE_URL}{game.get_absolute_url()}"
    assert (event["type"], event["data"]["club"], event["data"]["count"]) == ("club.games", "formica", 1)
    first = event["data"]["games"][0]["seats"][0]
    assert (first["name"], first["place"]) == ("Ada", 1)
    assert event["text"] == event["content"]
    assert event["text"].startswith("Casa Formica: 1 new game. Atta Ants, online rules: 1. Ada, 2. Bea, 2. @\u200ball")
    assert "http://x" not in event["text"].removesuffix(page)
    play([(["Ada", "Bea"], [1, 2])] * 3, now, club=club)
    assert [one["text"] for one in heard()[1:]] == [
        f"Casa Formica: 3 new games. {settings.SITE_URL}/games/?club=formica"
    ]


def test_news_tell_of_planned_evenings_and_final_tables(
    club: Club, heard: Callable[[], list[Any]], alice: User, now: datetime
) -> None:
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date(), by=alice)
    running.plan(club, now.date() + DAY, begins=None, place="Café\n# _All_", by=alice, now=now)
    running.plan(club, now.date() - DAY, begins=None, place="", by=alice, now=now)  # entered afterwards: no news
    play([(["Ada", "Bea"], [1, 2])], now, club=club)
    running.close_season(season, by=alice, now=now)
    evening, table, _ = sorted(heard(), key=lambda event: event["type"] == "club.games")
    assert evening["text"].startswith(
        "Casa Formica: an evening is planned for 2026-03-15, Café #\u200b _\u200bAll_\u200b. Are you coming? http"
    )
    assert table["text"].startswith("Casa Formica: final table of Spring. 1. Ada 1, 2. Bea 0 http")
    assert [row["name"] for row in table["data"]["rows"]] == ["Ada", "Bea"]


def test_a_chat_gets_a_sentence_that_calls_nobody_and_a_program_a_signed_event(
    club: Club, receiver: Receiver, alice: User, now: datetime
) -> None:
    secret = make_secret(alice, now=now)
    for form in ClubWebhook.Form.CHAT, ClubWebhook.Form.JSON:
        set_webhook(club, url=receiver.url, form=form, language="de", by=alice, now=now)
        deliver_due(message_of)
    chat, event = (json.loads(body) for _, _, body in receiver.heard)
    assert chat == {"text": chat["text"], "content": chat["text"], "allowed_mentions": {"parse": []}}
    assert chat["text"].startswith("Casa Formica schreibt hier Neuigkeiten")
    assert event["type"] == "club.connected"
    _, headers, body = receiver.heard[1]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = b64decode(secret.removeprefix("whsec_"))
    assert headers["webhook-signature"] == "v1," + b64encode(hmac.digest(key, signed, sha256)).decode()


def test_news_that_no_receiver_took_are_sent_again_and_new_games_join_what_waits(
    club: Club, heard: Callable[[], list[Any]], receiver: Receiver, now: datetime
) -> None:
    for _ in range(2):
        play([(["Ada", "Bea"], [1, 2])], now, club=club)
        announce_games(now=now)
    assert Delivery.objects.filter(games_upto__isnull=False).count() == 1
    receiver.status = 500
    assert [one["data"]["count"] for one in heard()] == [2]
    receiver.status = 200
    Delivery.objects.filter(next_at__isnull=False).update(next_at=now)
    assert [one["data"]["count"] for one in heard()] == [2, 2]
    assert len({headers["webhook-id"] for _, headers, _ in receiver.heard[1:]}) == 1


def test_games_that_are_private_or_annulled_are_no_news(
    club: Club, heard: Callable[[], list[Any]], now: datetime
) -> None:
    hidden, annulled = play([(["Ada", "Bea"], [1, 2])] * 2, now, club=club)
    Game.objects.filter(pk=hidden.pk).update(private=True)
    annul(annulled, now)
    assert heard() == []
    play([(["Ada", "Bea"], [1, 2])], now, club=club)
    assert [one["data"]["count"] for one in heard()] == [1]


def test_webhook_removed_while_it_is_sent_to_stops_no_other_delivery(
    club: Club, heard: Callable[[], list[Any]], receiver: Receiver, alice: User, now: datetime
) -> None:
    def removed_first(delivery: Delivery) -> Mapping[str, object]:
        remove_webhook(club, by=alice)
        return message_of(delivery)

    running.plan(club, now.date() + DAY, begins=None, place="", by=alice, now=now)
    assert deliver_due(removed_first) == 1
    assert not DeliveryAttempt.objects.exists()


def test_only_organisers_set_a_webhook_and_only_to_public_addresses(
    club: Club, alice: User, bob: User, now: datetime
) -> None:
    def try_to_set(by: User, url: str = "https://hooks.example.org/x") -> None:
        set_webhook(club, url=url, form=ClubWebhook.Form.JSON, language="en", by=by, now=now)

    with pytest.raises(ClubError, match="Only owners and organisers"):
        try_to_set(bob)
    with pytest.raises(AddressError, match=r"10.0.0.1 is not a public internet address"):
        try_to_set(alice, "https://10.0.0.1/")
    assert not ClubWebhook.objects.exists()
    club.members.create(account=bob, name="bob", joined_at=now, role=ClubMember.Role.ORGANISER)
    club.organisers.add(bob)
    try_to_set(bob)
    organising.dismiss_organiser(club, bob, by=alice, now=now)
    assert (ClubWebhook.objects.count(), Delivery.objects.count()) == (0, 0)


@pytest.mark.full
def test_a_webhook_is_set_shown_and_removed_on_the_page_and_by_the_api(
    club: Club, receiver: Receiver, alice: User, browse: Callable[..., Client]
) -> None:
    client, act, api = browse(alice), "/clubs/formica/act/", "/api/v1/clubs/formica/webhook"
    refused = client.post(act, {"act": "webhook", "url": "https://localhost/", "form": "chat"}, follow=True)
    assert "localhost is not a public internet address." in words_of(refused.content.decode())
    page = client.post(act, {"act": "webhook", "url": receiver.url, "form": "chat"}, follow=True).content.decode()
    assert receiver.url in page
    receiver.status = 500
    deliver_due(message_of)
    assert client.get(api).json()["attempts"][0]["status"] == 500
    assert "answered 500" in words_of(client.get("/clubs/formica/edit/").content.decode())
    client.post(act, {"act": "remove-webhook"})
    assert client.get(api).status_code == 404
    wrong = client.put(api, {"url": "https://localhost/"}, content_type="application/json").json()["error"]
    assert (wrong["code"], wrong["place"]) == ("webhook_address", {"parameter": "url"})
    put = client.put(api, {"url": receiver.url, "format": "json"}, content_type="application/json")
    assert (put.status_code, put.json()["by"]) == (200, "alice")
    assert browse(None).get(api).json()["error"]["message"] == "Only owners and organisers of the club can do this."
    assert client.delete(api).status_code == 204
