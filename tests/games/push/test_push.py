"""Browser notifications: what is sent to a push service, who can read it, and when nothing is sent."""

import hmac
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from games.accounts.reads.own_data import own_data
from games.models import PushNotice, PushSubscription, Table
from games.notices.preferences import keep_preferences
from games.playing import acting
from games.playing.reads.people import Person
from games.playing.reads.position import position_of
from games.push.delivery import BACKOFF, SLOTS, _next, push_due
from games.push.encryption import encrypt, point_of
from games.push.subscriptions import MOST, PushError, device_name, subscribe
from games.push.vapid import decoded, encoded, key_of
from tests.games.playing.seating import accounts, fresh, lay_setup, seated, whose_turn
from tests.games.receiver import Receiver, receiving

pytestmark = pytest.mark.django_db
BROWSER = ec.derive_private_key(
    int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big"), ec.SECP256R1()
)
POINT = encoded(point_of(BROWSER))
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def service(settings: Any) -> Iterator[Receiver]:
    with receiving() as one:
        settings.WEBHOOK_ALLOWED = {one.place}
        one.status = 201
        yield one


@pytest.fixture
def people(db: None) -> list[Person]:
    return accounts(2)


def listen(account: int, endpoint: str, **said: Any) -> PushSubscription:
    """Turn notifications on in a browser."""
    wanted: dict[str, Any] = {"agent": FIREFOX, "language": "en", "now": timezone.now()} | said
    return subscribe(account, endpoint, POINT, AUTH, **wanted)


def waiting(people: list[Person], service: Receiver, **said: Any) -> tuple[Table, PushSubscription]:
    """Return a table where it has been somebody's turn for a minute, and their browser."""
    long_ago = timezone.now() - timedelta(minutes=1)
    table = lay_setup(seated(people, long_ago, "ant-trails-2020"), people, long_ago)
    second = next(person for person in people if person != whose_turn(table, people))
    assert second.account
    subscription = listen(second.account.pk, service.url, **said)
    while whose_turn(fresh(table), people) != second:
        act(fresh(table), people, long_ago)
    return fresh(table), subscription


def act(table: Table, people: list[Person], now: datetime) -> None:
    token = position_of(table).legal(table.drawn)[0]
    acting.act(table.key, whose_turn(table, people), ply=table.plies, token=token, now=now)


def read(body: bytes) -> Any:
    """Decrypt a message as a browser does."""
    salt, size, point, text = body[:16], body[20], body[21:86], body[86:]
    assert size == 65
    shared = BROWSER.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point))
    info = b"WebPush: info\0" + point_of(BROWSER) + point + b"\x01"
    secret = hmac.digest(hmac.digest(decoded(AUTH), shared, "sha256"), info, "sha256")
    key, nonce = (
        hmac.digest(hmac.digest(salt, secret, "sha256"), b"Content-Encoding: " + name + b"\0\x01", "sha256")
        for name in (b"aes128gcm", b"nonce")
    )
    opened = AESGCM(key[:16]).decrypt(nonce[:12], text, None)
    assert opened.endswith(b"\x02")
    return json.loads(opened[:-1])


def test_encryption_matches_the_example_of_rfc_8291() -> None:
    own = key_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    text = b"When I grow up, I want to be a watermelon"
    assert encoded(encrypt(text, point_of(BROWSER), decoded(AUTH), own, decoded("DGv6ra1nlYgDCS1FRnbzlw"))) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_push_message_announces_the_turn_without_game_details(people: list[Person], service: Receiver) -> None:
    table, subscription = waiting(people, service)
    assert push_due() == 1
    ((_, headers, body),) = service.heard
    assert set(message := read(body)) == {"title", "body", "url", "tag"}
    other = table.seats.exclude(letter=table.turn).get().name
    assert (message["title"], message["url"]) == ("Your turn", f"/play/{table.key}/")
    assert message["body"] == f"It is your turn in Ant Trails against {other}."
    assert (headers["content-encoding"], headers["ttl"], headers["topic"]) == ("aes128gcm", "86400", table.key)
    assert not PushNotice.objects.exists()
    subscription.refresh_from_db()
    assert subscription.sent_at


def test_the_message_is_in_the_language_of_the_account(people: list[Person], service: Receiver) -> None:
    table, subscription = waiting(people, service, language="de")
    push_due()
    assert read(service.heard[0][2])["title"] == "Am Zug"
    keep_preferences(subscription.account_id, language="en")
    PushNotice.objects.create(subscription=subscription, table=table, next_at=timezone.now())
    push_due()
    assert read(service.heard[1][2])["title"] == "Your turn"


def test_push_request_is_signed_with_the_site_key(people: list[Person], service: Receiver, settings: Any) -> None:
    waiting(people, service)
    push_due()
    said = service.heard[0][1]["authorization"]
    token, _, key = said.removeprefix("vapid t=").partition(", k=")
    signed, _, signature = token.rpartition(".")
    numbers = [int.from_bytes(part, "big") for part in (decoded(signature)[:32], decoded(signature)[32:])]
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    public.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(SHA256()))
    claims = json.loads(decoded(signed.partition(".")[2]))
    assert (claims["aud"], claims["sub"]) == (f"http://{service.place}", settings.SITE_URL)
    assert 0 < claims["exp"] - timezone.now().timestamp() < 24 * 3600


@pytest.mark.full
def test_no_push_is_sent_to_a_player_who_has_already_acted(people: list[Person], service: Receiver) -> None:
    table, _ = waiting(people, service)
    while fresh(table).turn == table.turn:
        act(fresh(table), people, timezone.now())
    assert push_due() == 0
    assert service.heard == []
    assert not PushNotice.objects.exists()


@pytest.mark.parametrize("status", [404, 410])
def test_expired_subscription_is_deleted(people: list[Person], service: Receiver, status: int) -> None:
    waiting(people, service)
    service.status = status
    assert push_due() == 0
    assert not PushSubscription.objects.exists()


@pytest.mark.full
def test_a_push_service_that_fails_is_tried_again_and_given_up(people: list[Person], service: Receiver) -> None:
    waiting(people, service)
    service.status = 503
    for attempt in range(1, len(BACKOFF.waits) + 2):
        assert push_due() == 0
        assert list(PushNotice.objects.values_list("attempts", flat=True)) == ([attempt] if attempt <= 4 else [])
        PushNotice.objects.update(next_at=timezone.now())
    assert (len(service.heard), PushSubscription.objects.count()) == (5, 1)


def test_push_services_that_never_took_a_notice_get_at_most_half_of_the_slots(
    people: list[Person], service: Receiver
) -> None:
    _, subscription = waiting(people, service)
    other = next(one.account for one in people if one.account and one.account.pk != subscription.account_id)
    unproven = PushNotice(subscription=listen(other.pk, f"{service.url}&of=another"), attempts=1)
    sending = [unproven] * (SLOTS // 2)
    assert _next(sending) is None
    PushSubscription.objects.filter(pk=subscription.pk).update(sent_at=timezone.now())
    assert _next(sending) == PushNotice.objects.get()


def test_one_notice_of_an_account_is_sent_at_a_time(people: list[Person], service: Receiver) -> None:
    _, subscription = waiting(people, service)
    sending = [PushNotice(subscription=subscription, attempts=1)]
    assert _next(sending) is None
    assert _next([]) == PushNotice.objects.get()


@pytest.mark.parametrize(
    ("endpoint", "point", "auth", "message"),
    [
        ("https://192.168.1.7/push", POINT, AUTH, "Nothing can be sent to this browser’s push service."),
        ("http://push.example.org/1", POINT, AUTH, "Nothing can be sent to this browser’s push service."),
        ("https://push.atta-ants.org/1", POINT[:-4], AUTH, "The keys of this browser’s subscription cannot be read."),
        ("https://push.atta-ants.org/1", POINT, "*", "The keys of this browser’s subscription cannot be read."),
    ],
)
def test_invalid_subscription_is_rejected(alice: User, endpoint: str, point: str, auth: str, message: str) -> None:
    with pytest.raises(PushError, match=message):
        subscribe(alice.pk, endpoint, point, auth, agent="", language="en", now=timezone.now())


def test_browser_is_subscribed_for_its_latest_account_up_to_a_limit(alice: User, bob: User, now: datetime) -> None:
    listen(alice.pk, "https://push.atta-ants.org/1")
    listen(bob.pk, "https://push.atta-ants.org/1")
    assert PushSubscription.objects.get().account == bob
    for number in range(MOST + 1):
        listen(alice.pk, f"https://push.atta-ants.org/alice/{number}", now=now + timedelta(minutes=number))
    assert alice.push_subscriptions.count() == MOST
    assert not alice.push_subscriptions.filter(endpoint__endswith="/0").exists()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox, Linux"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1", "Safari, iPhone"),
        ("ants", "ants"),
    ],
)
def test_browsers_are_listed_with_familiar_names(agent: str, name: str) -> None:
    assert device_name(agent) == name


def test_push_notifications_can_be_turned_on_and_off_in_the_account(
    client: Client, alice: User, bob: User, now: datetime
) -> None:
    client.force_login(alice)
    fields = {"endpoint": "https://push.atta-ants.org/1", "point": POINT, "auth": AUTH}
    page = client.post("/account/notifications/", fields, headers={"User-Agent": FIREFOX}, follow=True).content.decode()
    assert "This browser gets notifications now." in page
    assert "<b>Firefox, Linux</b>" in page
    assert [row["name"] for row in own_data(alice, now=now)["push_subscriptions"]] == ["Firefox, Linux"]
    theirs = listen(bob.pk, "https://push.atta-ants.org/2")
    for one in (theirs, alice.push_subscriptions.get()):
        client.post("/account/notifications/", {"remove": one.pk})
    assert list(PushSubscription.objects.all()) == [theirs]


def test_service_worker_is_served_for_the_whole_site(client: Client) -> None:
    answer = client.get("/sw.js")
    assert (answer.headers["Content-Type"], answer.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert b"showNotification" in answer.content
